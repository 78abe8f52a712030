#include "imaging/store.h"

#include <array>
#include <cstring>

#include "imaging/level_lookup.h"

namespace jaxdali::cpu {
namespace {

// Where the elements of a run are in the image, counted in elements.
struct Strides {
  int64_t start;
  int64_t pixel;
  int64_t channel;
};

Strides StridesOf(const ImageResult& result, const Run& run) {
  const int64_t at = run.y * result.width + run.x, direction = run.is_mirrored ? -1 : 1;
  if (result.channels_first) return {at, direction, result.height * result.width};
  return {at * result.channels, direction * result.channels, 1};
}

// The same for a row that contains only the run.
Strides StridesInRow(const ImageResult& result, const Run& run) {
  const int64_t first = run.is_mirrored ? run.count - 1 : 0, direction = run.is_mirrored ? -1 : 1;
  if (result.channels_first) return {first, direction, run.count};
  return {first * result.channels, direction * result.channels, 1};
}

template <typename Element>
void PlaceLevels(const uint8_t* __restrict levels, int64_t count, int64_t channels, const Element* __restrict table,
                 const std::array<uint8_t, 3>& order, Element* __restrict image, const Strides strides) {
  Element* __restrict to = image + strides.start;
  const int64_t plane = strides.channel, pixel = strides.pixel;
  if (channels == 3) {
    const auto [a, b, c] = order;
    for (int64_t x = 0; x < count; ++x, levels += 3, to += pixel) {
      to[0] = table[levels[a]];
      to[plane] = table[kPixelLevels + levels[b]];
      to[2 * plane] = table[2 * kPixelLevels + levels[c]];
    }
    return;
  }
  for (int64_t c = 0; c < channels; ++c, to += plane, table += kPixelLevels) {
    for (int64_t x = 0; x < count; ++x) to[x * pixel] = table[levels[x * channels + c]];
  }
}

template <typename Element>
void PlaceElements(const Element* __restrict elements, int64_t count, int64_t channels, Element* __restrict image,
                   const Strides strides) {
  Element* __restrict to = image + strides.start;
  const int64_t plane = strides.channel, pixel = strides.pixel;
  if (plane == 1 && pixel == channels) {
    std::memcpy(to, elements, count * channels * sizeof(Element));
    return;
  }
  if (channels == 3) {
    for (int64_t x = 0; x < count; ++x, elements += 3, to += pixel) {
      to[0] = elements[0];
      to[plane] = elements[1];
      to[2 * plane] = elements[2];
    }
    return;
  }
  for (int64_t c = 0; c < channels; ++c, to += plane) {
    for (int64_t x = 0; x < count; ++x) to[x * pixel] = elements[x * channels + c];
  }
}

template <typename Element>
void PlaceOne(const Element* pixel, int64_t count, int64_t first, int64_t channels, Element* image,
              const Strides& strides) {
  for (int64_t c = first; c < channels; ++c) {
    Element* to = image + strides.start + c * strides.channel;
    const Element value = pixel[c];
    for (int64_t x = 0; x < count; ++x) to[x * strides.pixel] = value;
  }
}

// Calls `place` with pointers to elements as wide as the result's.
template <typename Place>
void WithElements(const ImageResult& result, const void* source, uint8_t* image, Place place) {
  switch (ElementBytes(result.type)) {
    case 1:
      return place(static_cast<const uint8_t*>(source), image);
    case 2:
      return place(static_cast<const uint16_t*>(source), reinterpret_cast<uint16_t*>(image));
    default:
      return place(static_cast<const uint32_t*>(source), reinterpret_cast<uint32_t*>(image));
  }
}

}  // namespace

void ImageStore::Levels(const Run& run, const uint8_t* levels, const LevelTable& table) const {
  if (table.is_identity) return Elements(run, levels);
  if (table.is_common) {
    uint8_t* const found = memory_->levels.Get(run.count * channels_);
    LookUpLevels(levels, run.count * channels_, table.elements.data(), found);
    return Elements(run, found);
  }
  const Strides strides = StridesInRow(result_, run);
  uint8_t* const row = memory_->row.Get(run.count * result_.channels * ElementBytes(result_.type));
  WithElements(result_, table.elements.data(), row, [&](const auto* elements, auto* to) {
    PlaceLevels(levels, run.count, channels_, elements, table.order, to, strides);
  });
  StoreRow(run, row);
}

void ImageStore::Elements(const Run& run, const void* elements) const {
  if (!run.is_mirrored && (channels_ == 1 || !result_.channels_first) && channels_ == result_.channels) {
    return StoreRow(run, static_cast<const uint8_t*>(elements));
  }
  const Strides strides = StridesInRow(result_, run);
  uint8_t* const row = memory_->row.Get(run.count * result_.channels * ElementBytes(result_.type));
  WithElements(result_, elements, row,
               [&](const auto* from, auto* to) { PlaceElements(from, run.count, channels_, to, strides); });
  StoreRow(run, row);
}

// Copies a row that was made elsewhere, in long pieces. The memory of a result is in no cache, so storing pixels one by
// one would wait for each cache line (measured: 0.21 ms for 224 x 224 float32, 0.05 ms with this).
void ImageStore::StoreRow(const Run& run, const uint8_t* row) const {
  const int64_t element = ElementBytes(result_.type), x = run.is_mirrored ? run.x - run.count + 1 : run.x;
  const int64_t at = run.y * result_.width + x;
  if (!result_.channels_first) {
    uint8_t* const to = image_ + at * result_.channels * element;
    std::memcpy(to, row, run.count * result_.channels * element);
  } else {
    const int64_t plane = result_.height * result_.width * element, piece = run.count * element;
    for (int64_t c = 0; c < channels_; ++c) std::memcpy(image_ + at * element + c * plane, row + c * piece, piece);
  }
  FillChannels(run, channels_);
}

void ImageStore::Fill(const Run& run) const { FillChannels(run, 0); }

void ImageStore::FillChannels(const Run& run, int64_t first) const {
  if (first >= result_.channels || run.count < 1) return;
  const Strides strides = StridesOf(result_, run);
  WithElements(result_, fill_, image_, [&](const auto* pixel, auto* image) {
    PlaceOne(pixel, run.count, first, result_.channels, image, strides);
  });
}

void ImageStore::ZerosOutside(int64_t height, int64_t width) const {
  const int64_t planes = result_.channels_first ? result_.channels : 1;
  const int64_t pixel = ElementBytes(result_.type) * (result_.channels_first ? 1 : result_.channels);
  const int64_t row = result_.width * pixel;
  for (int64_t plane = 0; plane < planes; ++plane) {
    uint8_t* const at = image_ + plane * result_.height * row;
    for (int64_t y = 0; y < height && width < result_.width; ++y) {
      std::memset(at + y * row + width * pixel, 0, row - width * pixel);
    }
    if (height < result_.height) std::memset(at + height * row, 0, (result_.height - height) * row);
  }
}

}  // namespace jaxdali::cpu
