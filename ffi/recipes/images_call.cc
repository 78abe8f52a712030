#include "recipes/images_call.h"

namespace jaxdali {
namespace {

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

// Whether an array has a type and a shape; -1 stands for any extent.
bool Is(const ArrayView& array, ElementType type, const std::vector<int64_t>& shape) {
  if (array.type != type || array.shape.size() != shape.size()) return false;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] >= 0 && array.shape[axis] != shape[axis]) return false;
  }
  return true;
}

std::string LoadFiles(const ImagesOperands& operands, ImageSource* source) {
  if (operands.color < 0 || operands.color > static_cast<int32_t>(ImageColor::kOwn)) {
    return "color is " + std::to_string(operands.color) + "; expected 0 (RGB), 1 (gray) or 2 (the file's own)";
  }
  if (operands.bits != 8 && operands.bits != 16) {
    return "bits are " + std::to_string(operands.bits) + "; expected 8 or 16";
  }
  source->color = static_cast<ImageColor>(operands.color);
  source->channels = source->color == ImageColor::kOwn    ? operands.channels
                     : source->color == ImageColor::kGray ? 1
                                                          : kChannels;
  if (source->channels < 1 || source->channels > kMostRawChannels || source->channels != operands.channels) {
    return "channels are " + std::to_string(operands.channels) + "; expected 3 of RGB, 1 of gray, else 1 to 4";
  }
  if (!Is(operands.data, ElementType::kUint8, {1, -1})) {
    return "data is " + ShapeText(operands.data.shape) +
           "; expected files, uint8[1, capacity], this device's own. Set the batch's sharding, or call under shard_map "
           "with one row per device";
  }
  if (!Is(operands.info, ElementType::kInt32, {-1, kRowFields})) {
    return "info is " + ShapeText(operands.info.shape) + "; expected the files' rows, int32[N, 8]";
  }
  source->capacity = operands.data.shape[1];
  source->type = operands.bits == 16 ? ElementType::kUint16 : ElementType::kUint8;
  return "";
}

std::string LoadCanvas(const ImagesOperands& operands, ImageSource* source) {
  const std::vector<int64_t>& shape = operands.data.shape;
  const ElementType type = operands.data.type;
  if (shape.size() != 4 || shape[3] < 1) return "data is " + ShapeText(shape) + "; expected a canvas [N, H, W, C]";
  if (!Is(operands.info, ElementType::kInt32, {shape[0], kShapeFields})) {
    return "info is " + ShapeText(operands.info.shape) + "; expected int32[" + std::to_string(shape[0]) +
           ", 3], height, width and channels of each image on the canvas";
  }
  source->type = type;
  source->height = shape[1];
  source->width = shape[2];
  source->channels = shape[3];
  return "";
}

std::string LoadSource(const ImagesOperands& operands, ImagesCall* call) {
  ImageSource& source = call->source;
  source = {};
  source.data = static_cast<const uint8_t*>(operands.data.data);
  source.info = static_cast<const int32_t*>(operands.info.data);
  source.kind = static_cast<ImageSourceKind>(operands.source);
  std::string error;
  switch (source.kind) {
    case ImageSourceKind::kFiles:
      error = LoadFiles(operands, &source);
      break;
    case ImageSourceKind::kCanvas:
      error = LoadCanvas(operands, &source);
      break;
    default:
      error = "source is " + std::to_string(operands.source) + "; expected 0 (files) or 1 (a canvas)";
  }
  if (error.empty()) call->count = operands.info.shape[0];
  return error;
}

std::string LoadResult(const ArrayView& array, bool channels_first, const ImagesCall& call, ImageResult* result) {
  const std::vector<int64_t>& shape = array.shape;
  const int64_t channels = shape.size() == 4 ? shape[channels_first ? 1 : 3] : 0;
  if (shape.size() != 4 || shape[0] != call.count || channels < call.source.channels) {
    return "the results are " + ShapeText(shape) + "; expected " + std::to_string(call.count) + " images of at least " +
           std::to_string(call.source.channels) + " channels" + (channels_first ? ", channels first" : "");
  }
  *result = {static_cast<uint8_t*>(array.data), array.type, shape[channels_first ? 2 : 1],
             shape[channels_first ? 3 : 2],     channels,   channels_first};
  return "";
}

std::string LoadRecipe(const ArrayView* operands, const ImagesCall& call, ImageRecipe* recipe) {
  const ArrayView &geometry = operands[0], &regions = operands[1], &instructions = operands[2],
                  &constants = operands[3];
  if (!Is(geometry, ElementType::kInt32, {call.count, kGeometryFields}) ||
      !Is(regions, ElementType::kFloat32, {call.count, kRegionFields})) {
    return "geometry is " + ShapeText(geometry.shape) + " and regions are " + ShapeText(regions.shape) +
           "; expected int32[N, 17] and float32[N, 4] for N = " + std::to_string(call.count);
  }
  if (!Is(instructions, ElementType::kInt32, {-1}) ||
      !Is(constants, ElementType::kFloat32, {-1, instructions.shape[0], -1}) ||
      (constants.shape[0] != 1 && constants.shape[0] != call.count)) {
    return "instructions are " + ShapeText(instructions.shape) + " and constants " + ShapeText(constants.shape) +
           "; expected int32[S] and float32[1 or " + std::to_string(call.count) + ", S, k]";
  }
  recipe->geometry = static_cast<const int32_t*>(geometry.data);
  recipe->regions = static_cast<const float*>(regions.data);
  const int64_t count = instructions.shape[0];
  if (count < 1 || count > kMaxInstructions) {
    return "got " + std::to_string(count) + " instructions; expected 1 to " + std::to_string(kMaxInstructions);
  }
  recipe->program = {static_cast<const int32_t*>(instructions.data),
                     count,
                     static_cast<const float*>(constants.data),
                     constants.shape[0] == 1,
                     constants.shape[2],
                     count,
                     count};
  return "";
}

std::string NamedAfter(size_t recipe, const std::string& error) {
  return "recipe " + std::to_string(recipe) + ": " + error;
}

}  // namespace

std::string LoadImagesShapes(const ImagesOperands& operands, ImagesCall* call) {
  const size_t recipes = operands.channels_first.size();
  if (recipes < 1 || operands.recipes.size() != 4 * recipes || operands.results.size() != recipes + 1) {
    return "got " + std::to_string(recipes) + " recipes by channels_first, " + std::to_string(operands.recipes.size()) +
           " operands of recipes and " + std::to_string(operands.results.size()) +
           " results; expected 4 operands and a result for each of at least 1 recipe, and the statuses";
  }
  if (std::string error = LoadSource(operands, call); !error.empty()) return error;
  call->recipes.resize(recipes);
  for (size_t index = 0; index < recipes; ++index) {
    ImageRecipe& recipe = call->recipes[index];
    std::string error = LoadResult(operands.results[index], operands.channels_first[index] != 0, *call, &recipe.result);
    if (error.empty()) error = LoadRecipe(&operands.recipes[4 * index], *call, &recipe);
    if (!error.empty()) return NamedAfter(index, error);
  }
  const ArrayView& statuses = operands.results.back();
  if (!Is(statuses, ElementType::kInt32, {call->count})) {
    return std::to_string(call->count) + " images, but statuses " + ShapeText(statuses.shape);
  }
  call->statuses = static_cast<int32_t*>(statuses.data);
  return "";
}

std::string LoadPixelPrograms(ImagesCall* call) {
  for (size_t index = 0; index < call->recipes.size(); ++index) {
    ImageRecipe& recipe = call->recipes[index];
    const std::string error = LoadPixelProgram(call->source.channels, recipe.result.channels, &recipe.program);
    if (!error.empty()) return NamedAfter(index, error);
  }
  return "";
}

std::string LoadImagesCall(const ImagesOperands& operands, ImagesCall* call) {
  const std::string error = LoadImagesShapes(operands, call);
  return error.empty() ? LoadPixelPrograms(call) : error;
}

}  // namespace jaxdali
