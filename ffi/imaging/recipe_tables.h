// Tables that replace a recipe's instructions for pixels of 256 levels.
#ifndef JAXDALI_IMAGING_RECIPE_TABLES_H_
#define JAXDALI_IMAGING_RECIPE_TABLES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "recipes/images_call.h"

namespace jaxdali::cpu {

inline constexpr int64_t kPixelLevels = 256;

// An element of the result's type for each level of each channel, [channels, 256].
struct LevelTable {
  std::vector<uint8_t> elements;
  // Which channel of the source each of three channels looks up; other numbers of channels keep their order.
  std::array<uint8_t, 3> order = {0, 1, 2};
  bool is_identity = false;  // for uint8: every level becomes itself
  bool is_common = false;    // for uint8: all channels have the same table, and stay in order

  bool exists() const { return !elements.empty(); }
};

// The tables of one recipe, for one image or for all. Where a table does not exist, instructions are run one by one.
struct RecipeTables {
  // Throws std::bad_alloc.
  void Make(const ImageSource& source, const ImageRecipe& recipe, int64_t image);

  // For uint8 sources: the instructions for source pixels, if their results are levels again.
  LevelTable source_levels;
  // Whether the instructions for source pixels end with one that rounds to levels.
  bool source_ends_in_levels = false;
  // For uint8 sources: the whole program, for pixels that are only copied.
  LevelTable whole;
  // If `sampled` exists, resampled pixels are rounded to levels of at most `most_level` and looked up in it.
  int32_t most_level = -1;
  LevelTable sampled;
  // A pixel outside of the resized image, with all channels of the result: those of the source, then the added ones.
  std::vector<uint8_t> fill;

 private:
  void MakeSourceTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
  void MakeSampledTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
  void MakeFill(const ImageSource& source, const ImageRecipe& recipe, const float* constants);
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_RECIPE_TABLES_H_
