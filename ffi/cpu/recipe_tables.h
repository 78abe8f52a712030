// What a recipe's program comes to for pixels that have 256 levels: a table instead of its instructions.
#ifndef JAXDALI_CPU_RECIPE_TABLES_H_
#define JAXDALI_CPU_RECIPE_TABLES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "common/images_call.h"

namespace jaxdali::cpu {

inline constexpr int64_t kPixelLevels = 256;

// Elements of a result's type for each level of each channel, [channels, 256].
struct LevelTable {
  std::vector<uint8_t> elements;
  // The source's channel that each of three channels looks up; others are as they were.
  std::array<uint8_t, 3> order = {0, 1, 2};
  bool is_identity = false;  // of uint8: every level becomes itself
  bool is_common = false;    // of uint8: the same for each channel, which stay in order

  bool exists() const { return !elements.empty(); }
};

// The tables of one recipe for one image, or for all. What has no table is done instruction by instruction.
struct RecipeTables {
  // Throws std::bad_alloc.
  void Make(const ImageSource& source, const ImageRecipe& recipe, int64_t image);

  // Of uint8 sources: what is done to source pixels, where that gives levels again.
  LevelTable source_levels;
  // The same, instruction by instruction, where its last instruction rounds to levels.
  bool source_ends_in_levels = false;
  // Of uint8 sources: the whole program, for pixels that are only copied.
  LevelTable whole;
  // Resampled pixels are rounded to levels, at most `most_level`; then comes `sampled`.
  int32_t most_level = -1;
  LevelTable sampled;
  // A pixel outside of the resized image, all channels of the result; the source's channels are followed by what every
  // pixel has there.
  std::vector<uint8_t> fill;

 private:
  void MakeSourceTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
  void MakeSampledTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
  void MakeFill(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_RECIPE_TABLES_H_
