// The results of a recipe's program for pixels of 256 levels: a table in place of instructions.
#ifndef JAXDALI_IMAGING_RECIPE_TABLES_H_
#define JAXDALI_IMAGING_RECIPE_TABLES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "recipes/images_call.h"

namespace jaxdali::cpu {

inline constexpr int64_t kPixelLevels = 256;

// For each level of each channel, an element of the result's type, [channels, 256].
struct LevelTable {
  std::vector<uint8_t> elements;
  // Which channel of the source each of three channels looks up; other numbers of channels keep their order.
  std::array<uint8_t, 3> order = {0, 1, 2};
  bool is_identity = false;  // of uint8: every level becomes itself
  bool is_common = false;    // of uint8: the same for each channel, which stay in order

  bool exists() const { return !elements.empty(); }
};

// The tables of one recipe, for one image or for all. What has no table is computed instruction by instruction.
struct RecipeTables {
  // Throws std::bad_alloc.
  void Make(const ImageSource& source, const ImageRecipe& recipe, int64_t image);

  // For uint8 sources: the instructions for source pixels, if their results are levels again.
  LevelTable source_levels;
  // The same, instruction by instruction, if the last one rounds to levels.
  bool source_ends_in_levels = false;
  // For uint8 sources: the whole program, for pixels that are only copied.
  LevelTable whole;
  // Resampled pixels are rounded to levels of at most `most_level`; then `sampled` is applied.
  int32_t most_level = -1;
  LevelTable sampled;
  // A pixel outside of the resized image, with all channels of the result: those of the source, followed by the added
  // ones.
  std::vector<uint8_t> fill;

 private:
  void MakeSourceTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
  void MakeSampledTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
  void MakeFill(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_RECIPE_TABLES_H_
