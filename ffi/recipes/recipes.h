// The recipes of `jaxdali_images_v1`: which part of an image is resized how, and what is done to its pixels.
// jaxdali/_device/ffi/recipes.py holds the same numbers and says what they mean; tests/test_rows.py compares the two.
#ifndef JAXDALI_RECIPES_RECIPES_H_
#define JAXDALI_RECIPES_RECIPES_H_

#include <cstdint>

#include "rows/rows.h"

namespace jaxdali {

// Columns of the operand `geometry`.
enum GeometryField : int {
  kGeometryTop = 0,
  kGeometryLeft = 1,
  kGeometryHeight = 2,
  kGeometryWidth = 3,
  kMirrorY = 4,
  kMirrorX = 5,
  kExtentY = 6,
  kExtentX = 7,
  kResultTop = 8,
  kResultLeft = 9,
  kResultHeight = 10,
  kResultWidth = 11,
  kResultMirrorY = 12,
  kResultMirrorX = 13,
  kMinFilter = 14,
  kMagFilter = 15,
  kAntialias = 16,
  kGeometryFields = 17,
};

// Columns of the operand `regions`.
enum RegionField : int { kLowY = 0, kHighY = 1, kLowX = 2, kHighX = 3, kRegionFields = 4 };

enum class Filter : int32_t {
  kNone = 0,
  kNearest = 1,
  kLinear = 2,
  kCubic = 3,
  kLanczos3 = 4,
  kTriangular = 5,
  kGaussian = 6,
};

enum class InstructionKind : int32_t {
  kSample = 0,
  kFill = 1,
  kAdd = 2,
  kMultiply = 3,
  kRound = 4,
  kMatrix = 5,
  kToFloat16 = 6,
  kToBfloat16 = 7,
};

inline constexpr int64_t kMaxInstructions = 64;
inline constexpr int64_t kMatrixConstants = 12;  // a 3 x 4 matrix, row by row

inline constexpr Named kGeometryFieldNames[] = {
    {"TOP", kGeometryTop},
    {"LEFT", kGeometryLeft},
    {"HEIGHT", kGeometryHeight},
    {"WIDTH", kGeometryWidth},
    {"MIRROR_Y", kMirrorY},
    {"MIRROR_X", kMirrorX},
    {"EXTENT_Y", kExtentY},
    {"EXTENT_X", kExtentX},
    {"RESULT_TOP", kResultTop},
    {"RESULT_LEFT", kResultLeft},
    {"RESULT_HEIGHT", kResultHeight},
    {"RESULT_WIDTH", kResultWidth},
    {"RESULT_MIRROR_Y", kResultMirrorY},
    {"RESULT_MIRROR_X", kResultMirrorX},
    {"MIN_FILTER", kMinFilter},
    {"MAG_FILTER", kMagFilter},
    {"ANTIALIAS", kAntialias},
};

inline constexpr Named kFilterNames[] = {
    {"NONE", static_cast<int32_t>(Filter::kNone)},         {"NEAREST", static_cast<int32_t>(Filter::kNearest)},
    {"LINEAR", static_cast<int32_t>(Filter::kLinear)},     {"CUBIC", static_cast<int32_t>(Filter::kCubic)},
    {"LANCZOS3", static_cast<int32_t>(Filter::kLanczos3)}, {"TRIANGULAR", static_cast<int32_t>(Filter::kTriangular)},
    {"GAUSSIAN", static_cast<int32_t>(Filter::kGaussian)},
};

inline constexpr Named kInstructionKindNames[] = {
    {"SAMPLE", static_cast<int32_t>(InstructionKind::kSample)},
    {"FILL", static_cast<int32_t>(InstructionKind::kFill)},
    {"ADD", static_cast<int32_t>(InstructionKind::kAdd)},
    {"MULTIPLY", static_cast<int32_t>(InstructionKind::kMultiply)},
    {"ROUND", static_cast<int32_t>(InstructionKind::kRound)},
    {"MATRIX", static_cast<int32_t>(InstructionKind::kMatrix)},
    {"TO_FLOAT16", static_cast<int32_t>(InstructionKind::kToFloat16)},
    {"TO_BFLOAT16", static_cast<int32_t>(InstructionKind::kToBfloat16)},
};

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_RECIPES_H_
