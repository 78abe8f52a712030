#include "calls/decode_resample/row.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "imaging/image_work.h"
#include "imaging/images_batch.h"

namespace jaxdali::cpu {
namespace {

ElementType TypeOfSize(int element_size) {
  switch (element_size) {
    case 1:
      return ElementType::kUint8;
    case 2:
      return ElementType::kUint16;
    default:
      return ElementType::kInt32;
  }
}

// Resizes the whole window to the target's extents.
ImageGeometry GeometryOf(const Window& window, bool flip, const ResampleTarget& target) {
  ImageGeometry geometry = {};
  geometry.y = {window.top, window.height, false, target.height, 0.0f, static_cast<float>(window.height),
                0,          target.height, false};
  geometry.x = {window.left, window.width, false, target.width, 0.0f, static_cast<float>(window.width),
                0,           target.width, flip};
  geometry.min_filter = geometry.mag_filter = Filter::kLinear;
  geometry.antialias = true;
  return geometry;
}

RowResult MakeWeights(const ImageGeometry& geometry, ImageWork* work) {
  RowResult result = CheckAxes(geometry);
  if (result.status != Status::kOk) return result;
  work->weights[0].Make(geometry.Request(geometry.y));
  work->weights[1].Make(geometry.Request(geometry.x));
  return result;
}

RowResult DecodeResampleChecked(const Row& row, const EncodedBytes& encoded, const Window& window, bool flip,
                                const void* table, const ResampleTarget& target) {
  RowResult result = CheckRow(row, encoded);
  if (result.status == Status::kOk) result = CheckWindow(row, window);
  if (result.status != Status::kOk) return result;
  std::unique_ptr<ImageWork> work = TakeWork(1);
  const ImageGeometry geometry = GeometryOf(window, flip, target);
  const bool is_empty = target.Bytes() == 0;
  if (!is_empty) result = MakeWeights(geometry, work.get());
  if (result.status != Status::kOk) return result;
  FileWindow found = {};
  result = ReadFileWindow(row, encoded, window, kRgbForm, &work->file, &found);
  if (result.status == Status::kOk && !result.out_of_memory && !is_empty) {
    const auto* elements = static_cast<const uint8_t*>(table);
    RecipeTables& tables = work->tables[0];
    tables = RecipeTables();
    tables.most_level = 255;
    tables.sampled.elements.assign(elements, elements + kChannels * kPixelLevels * target.element_size);
    tables.whole = tables.sampled;
    ImageRecipe recipe = {};
    recipe.result = {
        nullptr, TypeOfSize(target.element_size), target.height, target.width, kChannels, target.channels_first};
    const SourcePixels pixels = {found.pixels, found.stride, window, ElementType::kUint8, kChannels};
    ImageSampler(pixels, recipe, nullptr, tables, geometry, work->weights[0], work->weights[1], &work->sampler)
        .Make(static_cast<uint8_t*>(target.data));
  }
  GiveWorkBack(std::move(work));
  return result;
}

}  // namespace

RowResult DecodeResampleRow(const int32_t* fields, const EncodedBytes& encoded, const int32_t* window, bool flip,
                            const void* table, const ResampleTarget& target) noexcept {
  RowResult result;
  try {
    result = DecodeResampleChecked(LoadRow(fields), encoded, LoadWindow(window), flip, table, target);
  } catch (const std::bad_alloc&) {
    result.out_of_memory = true;
  }
  if ((result.status != Status::kOk || result.out_of_memory) && target.Bytes() > 0) {
    std::memset(target.data, 0, target.Bytes());
  }
  return result;
}

}  // namespace jaxdali::cpu
