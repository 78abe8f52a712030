// The checked operands of one call of `jaxdali_images_v1`, without XLA: the same on every platform, in tests and in
// fuzzing.
#ifndef JAXDALI_RECIPES_IMAGES_CALL_H_
#define JAXDALI_RECIPES_IMAGES_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/element_types.h"
#include "recipes/pixel_program.h"
#include "recipes/recipes.h"
#include "rows/pixel_form.h"
#include "rows/rows.h"

namespace jaxdali {

inline constexpr char kImagesTarget[] = "jaxdali_images_v1";

enum class ImageSourceKind : int32_t { kFiles = 0, kCanvas = 1 };

// An array of the call, dense.
struct ArrayView {
  void* data;
  ElementType type;
  std::vector<int64_t> shape;
};

// What the images are made of.
struct ImageSource {
  ImageSourceKind kind;
  ImageColor color;
  const uint8_t* data;  // all of the files, or the canvas
  int64_t capacity;     // of the files
  const int32_t* info;  // rows of the files, or height, width, channels of each image
  ElementType type;     // of the pixels
  int64_t height;       // of the canvas
  int64_t width;        //
  int64_t channels;     // of the pixels

  PixelForm Form() const { return {color, channels, type}; }  // of files
};

inline constexpr int64_t kShapeFields = 3;  // columns of the info of a canvas

// Where the images of one recipe go.
struct ImageResult {
  uint8_t* data;
  ElementType type;
  int64_t height;
  int64_t width;
  int64_t channels;
  bool channels_first;

  int64_t Bytes() const { return height * width * channels * ElementBytes(type); }  // of one image
};

struct ImageRecipe {
  const int32_t* geometry;
  const float* regions;
  PixelProgram program;
  ImageResult result;
};

struct ImagesCall {
  int64_t count;  // of images
  ImageSource source;
  std::vector<ImageRecipe> recipes;
  int32_t* statuses;
};

struct ImagesOperands {
  int32_t source;
  int32_t color;                        // of files
  int32_t channels;                     // of files in their own colors
  int32_t bits;                         // per channel of files, 8 or 16
  std::vector<int32_t> channels_first;  // of each recipe
  ArrayView data;
  ArrayView info;
  std::vector<ArrayView> recipes;  // geometry, regions, instructions, constants of each
  std::vector<ArrayView> results;  // the images of each recipe, then the statuses
};

// Fills `call`; returns what is wrong with the operands as a sentence, or an empty string. Then `call` is safe to read
// whatever the operands contain; geometry and regions are checked row by row when they are used.
std::string LoadImagesCall(const ImagesOperands& operands, ImagesCall* call);

// The same in two steps, for operands on a device: first checks their types and shapes, then their instructions.
std::string LoadImagesShapes(const ImagesOperands& operands, ImagesCall* call);
std::string LoadPixelPrograms(ImagesCall* call);

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_IMAGES_CALL_H_
