#include "imaging/images_batch.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace jaxdali::cpu {
namespace {

// Returns the smallest window that contains both.
Window Union(const Window& a, const Window& b) {
  const int64_t top = std::min(a.top, b.top), left = std::min(a.left, b.left);
  return {top, left, std::max(a.top + a.height, b.top + b.height) - top,
          std::max(a.left + a.width, b.left + b.width) - left};
}

// Returns which source pixels of an axis the weights read: the first, counted from the image's edge, and how many.
std::pair<int64_t, int64_t> NeededPixels(const AxisGeometry& axis, const AxisWeights& weights) {
  const int64_t first = axis.is_mirrored ? axis.in - weights.end() : weights.begin();
  return {axis.start + first, weights.end() - weights.begin()};
}

RowResult CheckGeometry(const ImageGeometry& geometry, const ImageResult& result, int64_t height, int64_t width) {
  const Window window = geometry.HardWindow();
  if (!HasWindowWithin(geometry, height, width)) {
    return Failure(Status::kTooLarge, "the window of " + Extents(window.height, window.width) +
                                          " pixels (height x width) at row " + std::to_string(window.top) +
                                          ", column " + std::to_string(window.left) +
                                          " does not lie within the image of " + Extents(height, width));
  }
  if (!FitsInto(geometry, result.height, result.width)) {
    return Failure(Status::kTooLarge, "a result of " + Extents(geometry.y.size, geometry.x.size) +
                                          " pixels (height x width) does not fit into " +
                                          Extents(result.height, result.width));
  }
  return CheckAxes(geometry);
}

// Adds to the message which recipe failed, if there are several.
RowResult NamedAfter(size_t recipe, size_t recipes, RowResult result) {
  if (result.status != Status::kOk && recipes > 1)
    result.message = "recipe " + std::to_string(recipe) + ": " + result.message;
  return result;
}

ImageGeometry GeometryOf(const ImageRecipe& recipe, int64_t image) {
  return LoadGeometry(recipe.geometry + image * kGeometryFields, recipe.regions + image * kRegionFields);
}

}  // namespace

RowResult CheckAxes(const ImageGeometry& geometry) {
  for (const AxisGeometry* axis : {&geometry.y, &geometry.x}) {
    const AxisRequest request = geometry.Request(*axis);
    const AxisFault fault = FaultOf(request);
    if (fault != AxisFault::kNone) return Failure(Status::kTooLarge, WordsFor(fault, request));
  }
  return RowResult();
}

RowResult ExamineImage(const ImagesCall& call, int64_t image, int64_t height, int64_t width) {
  for (size_t index = 0; index < call.recipes.size(); ++index) {
    const ImageRecipe& recipe = call.recipes[index];
    RowResult result = CheckGeometry(GeometryOf(recipe, image), recipe.result, height, width);
    if (result.status != Status::kOk) return NamedAfter(index, call.recipes.size(), std::move(result));
  }
  return RowResult();
}

ImagesBatch::ImagesBatch(const ImagesCall& call) : call_(call), tables_(call.recipes.size()) {
  for (size_t index = 0; index < tables_.size(); ++index) {
    if (call.recipes[index].program.is_shared) tables_[index].Make(call.source, call.recipes[index], 0);
  }
}

RowResult ImagesBatch::Make(int64_t image) noexcept {
  RowResult result;
  try {
    std::unique_ptr<ImageWork> work = TakeWork(call_.recipes.size());
    result = MakeChecked(image, work.get());
    GiveWorkBack(std::move(work));
  } catch (const std::bad_alloc&) {
    result.out_of_memory = true;
  }
  if (result.status != Status::kOk || result.out_of_memory) Clear(image);
  return result;
}

RowResult ImagesBatch::MakeChecked(int64_t image, ImageWork* work) const {
  return call_.source.kind == ImageSourceKind::kFiles ? MakeFromFile(image, work) : MakeFromCanvas(image, work);
}

RowResult ImagesBatch::MakeFromFile(int64_t image, ImageWork* work) const {
  const ImageSource& source = call_.source;
  const Row row = LoadRow(source.info + image * kRowFields);
  const EncodedBytes encoded = {source.data, source.capacity};
  RowResult result = CheckRow(row, encoded);
  if (result.status != Status::kOk) return result;
  Window needed = {};
  result = Plan(image, ShownHeight(row), ShownWidth(row), work, &needed);
  if (result.status != Status::kOk) return result;
  FileWindow found = {};
  result = ReadFileWindow(row, encoded, needed, source.Form(), &work->file, &found);
  if (result.status != Status::kOk || result.out_of_memory) return result;
  Sample(image, {found.pixels, found.stride, needed, source.type, source.channels}, work);
  return result;
}

RowResult ImagesBatch::MakeFromCanvas(int64_t image, ImageWork* work) const {
  const ImageSource& source = call_.source;
  const int32_t* const shape = source.info + image * kShapeFields;
  const int64_t height = shape[0], width = shape[1];
  if (height < 0 || width < 0 || height > source.height || width > source.width) {
    return Failure(Status::kTooLarge, "the image of " + Extents(height, width) +
                                          " pixels (height x width) does not lie on the canvas of " +
                                          Extents(source.height, source.width));
  }
  if (height == 0 || width == 0) {
    // An empty image has failed in an earlier call.
    Clear(image);
    return RowResult();
  }
  Window needed = {};
  RowResult result = Plan(image, height, width, work, &needed);
  if (result.status != Status::kOk) return result;
  const int64_t stride = source.width * source.channels * ElementBytes(source.type);
  const Window everything = {0, 0, source.height, source.width};
  Sample(image, {source.data + image * source.height * stride, stride, everything, source.type, source.channels}, work);
  return result;
}

// Computes the weights of all recipes, and the window of an image of these extents that they read.
RowResult ImagesBatch::Plan(int64_t image, int64_t height, int64_t width, ImageWork* work, Window* needed) const {
  RowResult result = ExamineImage(call_, image, height, width);
  if (result.status != Status::kOk) return result;
  bool is_first = true;
  for (size_t index = 0; index < call_.recipes.size(); ++index) {
    ImageGeometry& geometry = work->geometries[index];
    geometry = GeometryOf(call_.recipes[index], image);
    AxisWeights &rows = work->weights[2 * index], &columns = work->weights[2 * index + 1];
    rows.Make(geometry.Request(geometry.y));
    columns.Make(geometry.Request(geometry.x));
    if (rows.size() == 0 || columns.size() == 0) continue;
    const auto [top, rows_read] = NeededPixels(geometry.y, rows);
    const auto [left, columns_read] = NeededPixels(geometry.x, columns);
    const Window window = {top, left, rows_read, columns_read};
    *needed = is_first ? window : Union(*needed, window);
    is_first = false;
  }
  // If no pixel is needed, reading one still shows whether the file is good.
  if (is_first) *needed = {0, 0, 1, 1};
  return result;
}

void ImagesBatch::Sample(int64_t image, const SourcePixels& pixels, ImageWork* work) const {
  for (size_t index = 0; index < call_.recipes.size(); ++index) {
    const ImageRecipe& recipe = call_.recipes[index];
    const RecipeTables* tables = &tables_[index];
    if (!recipe.program.is_shared) {
      work->tables[index].Make(call_.source, recipe, image);
      tables = &work->tables[index];
    }
    ImageSampler(pixels, recipe, recipe.program.ConstantsOf(image), *tables, work->geometries[index],
                 work->weights[2 * index], work->weights[2 * index + 1], &work->sampler)
        .Make(Place(index, image));
  }
}

uint8_t* ImagesBatch::Place(size_t recipe, int64_t image) const {
  const ImageResult& result = call_.recipes[recipe].result;
  return result.data + image * result.Bytes();
}

void ImagesBatch::Clear(int64_t image) const {
  for (size_t index = 0; index < call_.recipes.size(); ++index) {
    const int64_t bytes = call_.recipes[index].result.Bytes();
    if (bytes > 0) std::memset(Place(index, image), 0, bytes);
  }
}

}  // namespace jaxdali::cpu
