#include "calls/warp/cpu_warping.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#include "base/cloned.h"
#include "calls/warp/quads.h"
#include "calls/warp/warp_math.h"

namespace jaxdali::cpu {
namespace {

constexpr int64_t kRowsOfPart = 16;

// Returns the number of rows of an image's results, over all axes but the last.
int64_t RowsOf(const Warping& w) { return w.axes == 3 ? w.size[0] * w.size[1] : w.size[0]; }

// Returns the number of pixels of an image's canvas.
int64_t PixelsOf(const Warping& w) { return w.canvas[0] * w.canvas[1] * (w.axes == 3 ? w.canvas[2] : 1); }

int64_t PartsOf(const Warping& w) { return (RowsOf(w) + kRowsOfPart - 1) / kRowsOfPart; }

int TapsOf(Between between) { return between == Between::kNearest ? 1 : between == Between::kLinear ? 2 : 4; }

// For a row of results and one axis of the image: which pixels each position lies between, and the weight of each.
struct Along {
  std::vector<float> low, share[kMostWarpTaps];  // a linear filter has one share, that of the second pixel
  std::vector<int32_t> index[kMostWarpTaps];     // in the image, along the axis; kNowhere for the fill
};

JAXDALI_CLONED void AffinePlaces(const float* matrix, int axes, const float* others, int32_t count,
                                 float* __restrict places) {
  const float slope = matrix[0], shift = matrix[axes];
  const float y = matrix[1] * others[0], z = axes == 3 ? matrix[2] * others[1] : 0.0f;
  for (int32_t x = 0; x < count; ++x) {
    float sum = slope * (static_cast<float>(x) + 0.5f) + y;
    if (axes == 3) sum += z;
    places[x] = sum + shift;
  }
}

// Writes the nearest pixels below the positions, and the distances from them.
JAXDALI_CLONED void Split(const float* places, float middle, int64_t count, float* __restrict low,
                          float* __restrict rest) {
  for (int64_t x = 0; x < count; ++x) {
    const float place = places[x] - middle;
    low[x] = std::floor(place);
    rest[x] = place - low[x];
  }
}

JAXDALI_CLONED void CubicShares(const float* rest, float tap, int64_t count, float* __restrict share) {
  for (int64_t k = 0; k < count; ++k) share[k] = CubicShare(rest[k] - tap);
}

JAXDALI_CLONED void HeldIndices(const float* low, float tap, int32_t extent, int64_t count, int32_t* __restrict index) {
  for (int64_t x = 0; x < count; ++x) {
    const int32_t place = WholePlace(low[x] + tap);
    index[x] = place < 0 ? 0 : place < extent ? place : extent - 1;
  }
}

JAXDALI_CLONED void IndicesOrNowhere(const float* low, float tap, int32_t extent, int64_t count,
                                     int32_t* __restrict index) {
  for (int64_t x = 0; x < count; ++x) {
    const int32_t place = WholePlace(low[x] + tap);
    index[x] = static_cast<uint32_t>(place) < static_cast<uint32_t>(extent) ? place : static_cast<int32_t>(kNowhere);
  }
}

void Indices(Border border, const float* low, float tap, int32_t extent, int64_t count, int32_t* index) {
  if (border == Border::kClamp) return HeldIndices(low, tap, extent, count, index);
  if (border == Border::kConstant) return IndicesOrNowhere(low, tap, extent, count, index);
  for (int64_t x = 0; x < count; ++x)
    index[x] = static_cast<int32_t>(Source<int64_t>(border, WholePlace(low[x] + tap), extent));
}

JAXDALI_CLONED void RoundToBytes(const float* values, int64_t count, uint8_t* __restrict bytes) {
  for (int64_t k = 0; k < count; ++k) bytes[k] = RoundedToByte(values[k]);
}

// The work of one part, with what its rows share.
class Part {
 public:
  Part(const Warping& w, int64_t sample) : w_(w), sample_(sample), places_(w.size[w.axes - 1]) {
    for (int axis = 0; axis < w.axes; ++axis) {
      extents_[axis] = static_cast<int32_t>(std::clamp<int64_t>(w.extents.Of(sample)[axis], 1, w.canvas[axis]));
      made_[axis] = std::clamp<int64_t>(w.made.Of(sample)[axis], 0, w.size[axis]);
      const int taps = TapsOf(w.between);
      along_[axis].low.resize(places_.size());
      for (int tap = 0; tap < taps; ++tap) along_[axis].index[tap].resize(places_.size());
      const int shares = w.between == Between::kCubic ? kMostWarpTaps : 1;
      for (int tap = 0; tap < shares; ++tap) along_[axis].share[tap].resize(places_.size());
    }
    rest_.resize(places_.size());
  }

  // Returns how many results a row has; zeros follow them.
  int64_t Results(int64_t row) const {
    const bool inside = w_.axes == 3 ? row / w_.size[1] < made_[0] && row % w_.size[1] < made_[1] : row < made_[0];
    return inside ? made_[w_.axes - 1] : 0;
  }

  void Find(int64_t row, int64_t count) {
    for (int axis = 0; axis < w_.axes; ++axis) FindAlong(axis, PlacesOf(axis, row, count), count);
  }

  const Along& along(int axis) const { return along_[axis]; }

 private:
  const float* PlacesOf(int axis, int64_t row, int64_t count) {
    const int64_t length = w_.size[w_.axes - 1];
    if (w_.matrix.data == nullptr) {
      const int64_t sample = w_.place_rows == 1 ? 0 : sample_;
      return w_.places + ((axis * w_.place_rows + sample) * RowsOf(w_) + row) * length;
    }
    const float y = static_cast<float>(w_.axes == 3 ? row % w_.size[1] : row) + 0.5f;
    const float others[] = {y, w_.axes == 3 ? static_cast<float>(row / w_.size[1]) + 0.5f : 0.0f};
    // The matrix has the row for x first.
    const float* const matrix = w_.matrix.Of(sample_) + (w_.axes - 1 - axis) * (w_.axes + 1);
    AffinePlaces(matrix, w_.axes, others, static_cast<int32_t>(count), places_.data());
    return places_.data();
  }

  void FindAlong(int axis, const float* places, int64_t count) {
    Along& along = along_[axis];
    const bool nearest = w_.between == Between::kNearest, cubic = w_.between == Between::kCubic;
    Split(places, nearest ? 0.0f : 0.5f, count, along.low.data(), cubic ? rest_.data() : along.share[0].data());
    for (int tap = 0; tap < TapsOf(w_.between); ++tap) {
      const float offset = static_cast<float>(cubic ? tap - 1 : tap);
      Indices(w_.border, along.low.data(), offset, extents_[axis], count, along.index[tap].data());
      if (cubic) CubicShares(rest_.data(), offset, count, along.share[tap].data());
    }
  }

  const Warping& w_;
  const int64_t sample_;
  int32_t extents_[kMostWarpedAxes];
  int64_t made_[kMostWarpedAxes];
  Along along_[kMostWarpedAxes];
  std::vector<float> places_, rest_;
};

// Loads up to four channels of a pixel. The rest of the Quad is zeros, or whatever follows the pixel in memory.
template <typename T, int kChannels>
JAXDALI_ALWAYS_INLINE Quad Load(const T* pixel, const T* end) {
  const auto at = [pixel](int k) { return k < kChannels ? static_cast<float>(pixel[k]) : 0.0f; };
  if (kChannels == 4 || (kChannels == 3 && end - pixel >= 4)) return LoadQuad(pixel);
  return Quad{at(0), at(1), at(2), 0.0f};
}

// What interpolation needs to know about a row of results, in locals that the compiler can keep in registers.
template <int kAxes, Between kBetween>
struct Mixed {
  static constexpr int kTaps = kBetween == Between::kLinear ? 2 : 4;
  static constexpr int kShares = kBetween == Between::kLinear ? 1 : 4;

  Mixed(const Warping& w, const Part& part) : channels(w.channels) {
    for (int axis = 0; axis < kAxes; ++axis) {
      canvas[axis] = w.canvas[axis];
      for (int tap = 0; tap < kTaps; ++tap) index[axis][tap] = part.along(axis).index[tap].data();
      for (int tap = 0; tap < kShares; ++tap) share[axis][tap] = part.along(axis).share[tap].data();
    }
  }

  JAXDALI_ALWAYS_INLINE bool Leaves(int64_t x) const {
    int32_t all = 0;  // negative if one of the indices is
    for (int axis = 0; axis < kAxes; ++axis) {
      for (int tap = 0; tap < kTaps; ++tap) all |= index[axis][tap][x];
    }
    return all < 0;
  }

  // Interpolates result `x` along an axis and the following axes. Unless kMayLeave, all pixels are in the image.
  template <typename T, int kChannels, bool kMayLeave, int kAxis = 0>
  JAXDALI_ALWAYS_INLINE Quad From(const T* image, const T* end, Quad fill, int64_t x, int64_t pixel = 0,
                                  bool outside = false) const {
    if constexpr (kAxis == kAxes) {
      return kMayLeave && outside ? fill : Load<T, kChannels>(image + pixel * channels, end);
    } else {
      Quad taps[kTaps];
      for (int tap = 0; tap < kTaps; ++tap) {
        const int32_t own = index[kAxis][tap][x];
        const bool leaves = kMayLeave && own < 0;
        const int64_t next = pixel * canvas[kAxis] + (leaves ? 0 : own);
        taps[tap] = From<T, kChannels, kMayLeave, kAxis + 1>(image, end, fill, x, next, outside || leaves);
      }
      if constexpr (kBetween == Between::kLinear) {
        return taps[0] + share[kAxis][0][x] * (taps[1] - taps[0]);
      } else {
        Quad sum = share[kAxis][0][x] * taps[0];
        for (int tap = 1; tap < kTaps; ++tap) sum += share[kAxis][tap][x] * taps[tap];
        return sum;
      }
    }
  }

  int64_t channels, canvas[kAxes];
  const int32_t* index[kAxes][kTaps];
  const float* share[kAxes][kShares];
};

template <typename T, int kAxes, Between kBetween, int kChannels>
void MixChannels(const Warping& w, const Part& part, const T* image, int64_t first, int64_t count, float* row) {
  const Mixed<kAxes, kBetween> mixed(w, part);
  const T* const own = image + first;
  const T* const end = image + PixelsOf(w) * w.channels;
  const float* const fills = static_cast<const float*>(w.fill);
  const Quad fill = Load<float, kChannels>(fills + first, fills + w.channels);
  float* target = row + first;
  for (int64_t x = 0; x < count; ++x, target += mixed.channels) {
    const Quad found = mixed.Leaves(x) ? mixed.template From<T, kChannels, true>(own, end, fill, x)
                                       : mixed.template From<T, kChannels, false>(own, end, fill, x);
    std::memcpy(target, &found, kChannels * sizeof(float));
  }
}

template <typename T, int kAxes, Between kBetween>
void MixRow(const Warping& w, const Part& part, const T* image, int64_t count, float* row) {
  for (int64_t first = 0; first < w.channels; first += 4) {
    switch (std::min<int64_t>(w.channels - first, 4)) {
      case 1:
        MixChannels<T, kAxes, kBetween, 1>(w, part, image, first, count, row);
        break;
      case 2:
        MixChannels<T, kAxes, kBetween, 2>(w, part, image, first, count, row);
        break;
      case 3:
        MixChannels<T, kAxes, kBetween, 3>(w, part, image, first, count, row);
        break;
      default:
        MixChannels<T, kAxes, kBetween, 4>(w, part, image, first, count, row);
    }
  }
}

template <typename T, int kAxes, int kChannels>
void PickPixels(const Warping& w, const Part& part, const T* image, int64_t count, T* row) {
  const T* const fill = static_cast<const T*>(w.fill);
  const int64_t channels = kChannels ? kChannels : w.channels;
  const int32_t* index[kAxes];
  int64_t canvas[kAxes];
  for (int axis = 0; axis < kAxes; ++axis) {
    index[axis] = part.along(axis).index[0].data();
    canvas[axis] = w.canvas[axis];
  }
  for (int64_t x = 0; x < count; ++x, row += channels) {
    int64_t pixel = 0;
    int32_t all = 0;  // negative if one of the indices is
    for (int axis = 0; axis < kAxes; ++axis) {
      all |= index[axis][x];
      pixel = pixel * canvas[axis] + index[axis][x];
    }
    const T* const own = all < 0 ? fill : image + pixel * channels;
    for (int64_t k = 0; k < channels; ++k) row[k] = own[k];
  }
}

template <typename T, int kAxes>
void PickAlong(const Warping& w, const Part& part, const T* image, int64_t count, T* row) {
  if (w.channels == 1) return PickPixels<T, kAxes, 1>(w, part, image, count, row);
  if (w.channels == 3) return PickPixels<T, kAxes, 3>(w, part, image, count, row);
  PickPixels<T, kAxes, 0>(w, part, image, count, row);
}

template <typename T>
void PickRow(const Warping& w, const Part& part, const T* image, int64_t count, T* row) {
  w.axes == 2 ? PickAlong<T, 2>(w, part, image, count, row) : PickAlong<T, 3>(w, part, image, count, row);
}

// Calls `make(row, count)` for the rows of a part. A row's first `count` results are computed, the others are zeros.
template <typename Make>
void ForRows(const Warping& w, int64_t block, Part& part, Make make) {
  const int64_t begin = block * kRowsOfPart, end = std::min(begin + kRowsOfPart, RowsOf(w));
  for (int64_t row = begin; row < end; ++row) {
    const int64_t count = part.Results(row);
    if (count > 0) part.Find(row, count);
    make(row, count);
  }
}

template <typename T>
void PickPart(const Warping& w, int64_t sample, int64_t block, const T* image) {
  Part part(w, sample);
  const int64_t length = w.size[w.axes - 1] * w.channels;
  ForRows(w, block, part, [&](int64_t row, int64_t count) {
    T* const result = static_cast<T*>(w.result) + (sample * RowsOf(w) + row) * length;
    if (count > 0) PickRow(w, part, image, count, result);
    std::fill(result + count * w.channels, result + length, T{});
  });
}

template <typename T>
void MixPart(const Warping& w, int64_t sample, int64_t block, const T* image) {
  Part part(w, sample);
  const int64_t length = w.size[w.axes - 1] * w.channels;
  std::vector<float> mixed(w.bytes ? length : 0);
  ForRows(w, block, part, [&](int64_t row, int64_t count) {
    const int64_t at = (sample * RowsOf(w) + row) * length, used = count * w.channels;
    float* const target = w.bytes ? mixed.data() : static_cast<float*>(w.result) + at;
    if (count > 0) {
      if (w.axes == 3) {
        MixRow<T, 3, Between::kLinear>(w, part, image, count, target);
      } else if (w.between == Between::kLinear) {
        MixRow<T, 2, Between::kLinear>(w, part, image, count, target);
      } else {
        MixRow<T, 2, Between::kCubic>(w, part, image, count, target);
      }
    }
    if (w.bytes) {
      uint8_t* const bytes = static_cast<uint8_t*>(w.result) + at;
      RoundToBytes(target, used, bytes);
      std::fill(bytes + used, bytes + length, uint8_t{0});
    } else {
      std::fill(target + used, target + length, 0.0f);
    }
  });
}

template <typename T>
const T* ImageOf(const Warping& w, int64_t sample) {
  return static_cast<const T*>(w.images) + sample * PixelsOf(w) * w.channels;
}

}  // namespace

int64_t WarpingParts(const Warping& warping) { return warping.samples * PartsOf(warping); }

bool Warp(const Warping& w, int64_t part) noexcept {
  const int64_t sample = part / PartsOf(w), block = part % PartsOf(w);
  try {
    switch (w.type) {
      case WarpedType::kUint8:
        MixPart(w, sample, block, ImageOf<uint8_t>(w, sample));
        break;
      case WarpedType::kInt16:
        MixPart(w, sample, block, ImageOf<int16_t>(w, sample));
        break;
      case WarpedType::kUint16:
        MixPart(w, sample, block, ImageOf<uint16_t>(w, sample));
        break;
      case WarpedType::kFloat32:
        MixPart(w, sample, block, ImageOf<float>(w, sample));
        break;
      case WarpedType::kBits8:
        PickPart(w, sample, block, ImageOf<uint8_t>(w, sample));
        break;
      case WarpedType::kBits16:
        PickPart(w, sample, block, ImageOf<uint16_t>(w, sample));
        break;
      case WarpedType::kBits32:
        PickPart(w, sample, block, ImageOf<uint32_t>(w, sample));
        break;
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace jaxdali::cpu
