#include "imaging/image_sampler.h"

#include <algorithm>
#include <cstring>

#include "imaging/level_lookup.h"
#include "imaging/pixel_instructions.h"
#include "imaging/sampling.h"

namespace jaxdali::cpu {
namespace {

// Copies `width` pixels of `pixel` bytes each; pixel x is firsts[x] * step bytes after `origin`.
void SelectColumns(const uint8_t* __restrict origin, int64_t step, const int32_t* __restrict firsts, int64_t width,
                   int64_t pixel, uint8_t* __restrict to) {
  switch (pixel) {
    case 1:
      for (int64_t x = 0; x < width; ++x) to[x] = origin[firsts[x] * step];
      return;
    case 3:
      for (int64_t x = 0; x < width; ++x, to += 3) {
        const uint8_t* const from = origin + firsts[x] * step;
        std::memcpy(to, from, 2);
        to[2] = from[2];
      }
      return;
    default:
      for (int64_t x = 0; x < width; ++x, to += pixel) std::memcpy(to, origin + firsts[x] * step, pixel);
  }
}

void ApplyTable(const uint8_t* __restrict source, int64_t count, int64_t channels, const LevelTable& table,
                uint8_t* __restrict levels) {
  const uint8_t* const elements = table.elements.data();
  if (table.is_common) return LookUpLevels(source, count * channels, elements, levels);
  if (channels == 3) {
    const auto [a, b, c] = table.order;
    for (int64_t x = 0; x < count; ++x, source += 3, levels += 3) {
      levels[0] = elements[source[a]];
      levels[1] = elements[kPixelLevels + source[b]];
      levels[2] = elements[2 * kPixelLevels + source[c]];
    }
    return;
  }
  for (int64_t x = 0; x < count; ++x) {
    for (int64_t c = 0; c < channels; ++c) *levels++ = elements[c * kPixelLevels + *source++];
  }
}

}  // namespace

void ImageSampler::Make(uint8_t* image) {
  const ImageResult& result = recipe_.result;
  const ImageStore store(result, image, source_.channels, tables_.fill.data(), &memory_->store);
  const AxisGeometry &y = geometry_.y, &x = geometry_.x;
  store.ZerosOutside(y.size, x.size);
  const int64_t top = y.Front(), height = y.Inside(), left = x.Front(), width = x.Inside();
  Plane plane = {};
  if (height > 0 && width > 0) plane = IsCopied() ? Read() : Prepare(Read());
  for (int64_t index = 0; index < y.size; ++index) {
    const int64_t at = y.Place(index);
    if (index < top || index >= top + height || width == 0) {
      store.Fill({at, 0, x.size, false});
    } else if (width < x.size) {
      const int64_t right = x.size - left - width;
      store.Fill({at, 0, x.flips ? right : left, false});
      store.Fill({at, x.flips ? x.size - left : left + width, x.flips ? left : right, false});
    }
  }
  if (width == 0) return;
  PrepareSums(width);
  for (int64_t index = 0; index < height; index += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, height - index);
    if (!IsCopied()) SampleRows(plane, index, count);
    for (int64_t row = 0; row < count; ++row) {
      const Run run = {y.Place(top + index + row), x.Place(left), width, x.flips};
      if (IsCopied()) {
        CopyRow(plane, index + row, run, store);
      } else {
        StoreRow(row, run, store);
      }
    }
  }
}

// Returns the column of a plane where pixel j of the (mirrored) axis lies.
int64_t ImageSampler::PlaneColumn(int64_t j) const {
  return geometry_.x.is_mirrored ? columns_.end() - 1 - j : j - columns_.begin();
}

ImageSampler::Plane ImageSampler::Read() const {
  const AxisGeometry &y = geometry_.y, &x = geometry_.x;
  const int64_t row = y.start + (y.is_mirrored ? y.in - 1 - rows_.begin() : rows_.begin());
  const int64_t column = x.start + (x.is_mirrored ? x.in - columns_.end() : columns_.begin());
  const int64_t offset = (row - source_.window.top) * source_.stride +
                         (column - source_.window.left) * source_.channels * ElementBytes(source_.type);
  return {source_.data + offset, y.is_mirrored ? -source_.stride : source_.stride, source_.type};
}

// Runs the instructions for source pixels and makes pixels that can be summed: uint8 or float32.
ImageSampler::Plane ImageSampler::Prepare(const Plane& plane) {
  const bool is_summable = plane.type == ElementType::kUint8 || plane.type == ElementType::kFloat32;
  if (is_summable && recipe_.program.Before().end == 0) return plane;
  if (!tables_.source_levels.exists()) return PrepareByInstructions(plane);
  return tables_.source_levels.is_identity ? plane : PrepareByTable(plane);
}

ImageSampler::Plane ImageSampler::PrepareByTable(const Plane& plane) {
  const int64_t height = rows_.end() - rows_.begin(), width = columns_.end() - columns_.begin();
  const int64_t stride = width * source_.channels;
  uint8_t* const levels = memory_->source.Get(height * stride);
  for (int64_t y = 0; y < height; ++y) {
    ApplyTable(plane.data + y * plane.stride, width, source_.channels, tables_.source_levels, levels + y * stride);
  }
  return {levels, stride, ElementType::kUint8};
}

ImageSampler::Plane ImageSampler::PrepareByInstructions(const Plane& plane) {
  const int64_t height = rows_.end() - rows_.begin(), width = columns_.end() - columns_.begin();
  const int64_t length = width * source_.channels;
  const bool to_levels = tables_.source_ends_in_levels;
  float* const floats = memory_->floats.Get(to_levels ? length : height * length);
  uint8_t* const levels = to_levels ? memory_->source.Get(height * length) : nullptr;
  for (int64_t y = 0; y < height; ++y) {
    float* const row = to_levels ? floats : floats + y * length;
    ToFloats(plane.data + y * plane.stride, plane.type, length, row);
    RunInstructions(recipe_.program, constants_, recipe_.program.Before(), source_.channels, width, row);
    if (to_levels) FromFloats(row, length, ElementType::kUint8, levels + y * length);
  }
  if (to_levels) return {levels, length, ElementType::kUint8};
  return {reinterpret_cast<const uint8_t*>(floats), length * static_cast<int64_t>(sizeof(float)),
          ElementType::kFloat32};
}

// Allocates rows of sums and of results, and puts zeros around the sums.
void ImageSampler::PrepareSums(int64_t width) {
  row_stride_ = width * source_.channels + kSumsMargin;
  rows_of_results_ = memory_->row.Get(kRowsAtOnce * row_stride_);
  if (IsCopied()) return;
  const int64_t length = (columns_.end() - columns_.begin()) * source_.channels;
  sums_stride_ = length + kSumsMargin;
  float* const sums = memory_->sums.Get(kRowsAtOnce * sums_stride_ + kSumsMargin);
  for (int64_t row = 0; row <= kRowsAtOnce; ++row) std::fill_n(sums + row * sums_stride_, kSumsMargin, 0.0f);
  sums_ = sums + kSumsMargin;
}

void ImageSampler::SampleRows(const Plane& plane, int64_t index, int64_t count) {
  const int64_t channels = source_.channels, length = sums_stride_ - kSumsMargin;
  const bool are_levels = plane.type == ElementType::kUint8;
  for (int64_t row = 0; row < count; ++row) {
    const int64_t y = index + row;
    const uint8_t* const first = plane.data + (rows_.first(y) - rows_.begin()) * plane.stride;
    float* const sums = sums_ + row * sums_stride_;
    if (are_levels) {
      SumRows(first, plane.stride, rows_.weights(y), rows_.count(y), length, sums);
    } else {
      SumRows(reinterpret_cast<const float*>(first), plane.stride, rows_.weights(y), rows_.count(y), length, sums);
    }
  }
  const int64_t step = geometry_.x.is_mirrored ? -channels : channels;
  SumColumns({sums_ + PlaneColumn(0) * channels, sums_stride_, count, channels, step, are_levels}, columns_,
             rows_of_results_, row_stride_);
}

void ImageSampler::StoreRow(int64_t index, const Run& run, const ImageStore& store) {
  const int64_t length = run.count * source_.channels;
  float* const row = rows_of_results_ + index * row_stride_;
  if (!tables_.sampled.exists()) return StoreFloats(row, recipe_.program.After(), run, store);
  uint8_t* const levels = memory_->levels.Get(length);
  RoundToLevels(row, length, tables_.most_level, levels);
  store.Levels(run, levels, tables_.sampled);
}

// Makes a row of the result whose pixels are each one source pixel.
void ImageSampler::CopyRow(const Plane& plane, int64_t index, const Run& run, const ImageStore& store) {
  const uint8_t* const pixels = SelectPixels(plane, index);
  if (tables_.whole.exists()) return store.Levels(run, pixels, tables_.whole);
  const PixelProgram& program = recipe_.program;
  // Copies instead of converting to float32 and back, which cannot represent every int32.
  if (program.OnlyFills() && plane.type == recipe_.result.type) return store.Elements(run, pixels);
  const int64_t length = run.count * source_.channels;
  float* const row = rows_of_results_;
  ToFloats(pixels, plane.type, length, row);
  RunInstructions(program, constants_, program.Before(), source_.channels, run.count, row);
  StoreFloats(row, program.After(), run, store);
}

const uint8_t* ImageSampler::SelectPixels(const Plane& plane, int64_t index) {
  const int64_t pixel = source_.channels * ElementBytes(plane.type), width = columns_.size();
  const uint8_t* const row = plane.data + (rows_.first(index) - rows_.begin()) * plane.stride;
  if (columns_.is_contiguous() && !geometry_.x.is_mirrored) return row;
  uint8_t* const selected = memory_->elements.Get(width * pixel);
  const int64_t step = geometry_.x.is_mirrored ? -pixel : pixel;
  SelectColumns(row + PlaneColumn(0) * pixel, step, columns_.firsts(), width, pixel, selected);
  return selected;
}

void ImageSampler::StoreFloats(float* row, InstructionRange range, const Run& run, const ImageStore& store) {
  const int64_t length = run.count * source_.channels;
  RunInstructions(recipe_.program, constants_, range, source_.channels, run.count, row);
  if (recipe_.result.type == ElementType::kFloat32) return store.Elements(run, row);
  uint8_t* const elements = memory_->elements.Get(length * ElementBytes(recipe_.result.type));
  FromFloats(row, length, recipe_.result.type, elements);
  store.Elements(run, elements);
}

}  // namespace jaxdali::cpu
