#include "imaging/sampling.h"

#include <algorithm>
#include <cstring>

#include "base/cloned.h"

namespace jaxdali::cpu {
namespace {

typedef float Float4 __attribute__((vector_size(16)));

// Returns row `index` of the rows that begin at `source`, `stride` bytes apart.
template <typename Pixel>
JAXDALI_ALWAYS_INLINE const Pixel* RowAt(const Pixel* source, int64_t stride, int64_t index) {
  return reinterpret_cast<const Pixel*>(reinterpret_cast<const uint8_t*>(source) + index * stride);
}

// Adds up `kCount` rows, on top of the existing sums if `kContinues`. Each sum stays in a register.
template <int kCount, bool kContinues, typename Pixel>
JAXDALI_ALWAYS_INLINE void AddRows(const Pixel* __restrict source, int64_t stride, const float* __restrict weights,
                                   int64_t length, float* __restrict sums) {
  const Pixel* rows[kCount];
  float w[kCount];
  for (int k = 0; k < kCount; ++k) {
    rows[k] = RowAt(source, stride, k);
    w[k] = weights[k];
  }
  for (int64_t x = 0; x < length; ++x) {
    float sum = w[0] * static_cast<float>(rows[0][x]);
    if (kContinues) sum = sums[x] + sum;
    for (int k = 1; k < kCount; ++k) sum += w[k] * static_cast<float>(rows[k][x]);
    sums[x] = sum;
  }
}

// Takes up to six rows at a time; the order of the additions stays the same.
template <typename Pixel>
JAXDALI_ALWAYS_INLINE void SumRowsOf(const Pixel* __restrict source, int64_t stride, const float* __restrict weights,
                                     int64_t count, int64_t length, float* __restrict sums) {
  switch (count) {
    case 1:
      return AddRows<1, false>(source, stride, weights, length, sums);
    case 2:
      return AddRows<2, false>(source, stride, weights, length, sums);
    case 3:
      return AddRows<3, false>(source, stride, weights, length, sums);
    case 4:
      return AddRows<4, false>(source, stride, weights, length, sums);
    case 5:
      return AddRows<5, false>(source, stride, weights, length, sums);
    default:
      break;
  }
  AddRows<6, false>(source, stride, weights, length, sums);
  int64_t done = 6;
  for (; done + 3 <= count; done += 3) {
    AddRows<3, true>(RowAt(source, stride, done), stride, weights + done, length, sums);
  }
  for (; done < count; ++done) {
    AddRows<1, true>(RowAt(source, stride, done), stride, weights + done, length, sums);
  }
}

JAXDALI_CLONED void SumByteRows(const uint8_t* source, int64_t stride, const float* weights, int64_t count,
                                int64_t length, float* sums) {
  SumRowsOf(source, stride, weights, count, length, sums);
}

JAXDALI_CLONED void SumFloatRows(const float* source, int64_t stride, const float* weights, int64_t count,
                                 int64_t length, float* sums) {
  SumRowsOf(source, stride, weights, count, length, sums);
}

// The type for a pixel with kChannels channels. Three are read and written as four: the last lane is meaningless, and
// the next pixel overwrites it.
template <int kChannels>
struct Lanes {
  using Type = Float4;
};
template <>
struct Lanes<1> {
  using Type = float;
};

// Makes each pixel in `kRows` rows at once. Uses `kTaps` weights or, if that is 0, as many as the pixel has.
template <int kChannels, int kRows, int kTaps>
JAXDALI_ALWAYS_INLINE void SumPixels(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  using Pixel = typename Lanes<kChannels>::Type;
  // Copied, so that they stay in registers: as far as the compiler knows, stores could change the originals.
  const int64_t width = columns.size(), taps = columns.taps(), step = sums.step, below = sums.stride;
  const int32_t *const firsts = columns.firsts(), *const counts = columns.counts();
  const float* const origin = sums.origin;
  const float* weights = columns.weights(0);
  for (int64_t x = 0; x < width; ++x, weights += taps) {
    const float* at = origin + firsts[x] * step;
    const int64_t count = kTaps > 0 ? kTaps : counts[x];
    Pixel total[kRows], pixel;
    for (int r = 0; r < kRows; ++r) {
      std::memcpy(&pixel, at + r * below, sizeof(pixel));
      total[r] = weights[0] * pixel;
    }
    for (int64_t k = 1; k < count; ++k) {
      at += step;
      for (int r = 0; r < kRows; ++r) {
        std::memcpy(&pixel, at + r * below, sizeof(pixel));
        total[r] += weights[k] * pixel;
      }
    }
    for (int r = 0; r < kRows; ++r) std::memcpy(row + r * stride + x * kChannels, &total[r], sizeof(pixel));
  }
}

template <int kChannels, int kRows>
JAXDALI_ALWAYS_INLINE void SumPixelsOf(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  switch (sums.is_padded ? columns.taps() : 0) {
    case 2:
      return SumPixels<kChannels, kRows, 2>(sums, columns, row, stride);
    case 3:
      return SumPixels<kChannels, kRows, 3>(sums, columns, row, stride);
    case 4:
      return SumPixels<kChannels, kRows, 4>(sums, columns, row, stride);
    case 5:
      return SumPixels<kChannels, kRows, 5>(sums, columns, row, stride);
    case 6:
      return SumPixels<kChannels, kRows, 6>(sums, columns, row, stride);
    case 7:
      return SumPixels<kChannels, kRows, 7>(sums, columns, row, stride);
    case 8:
      return SumPixels<kChannels, kRows, 8>(sums, columns, row, stride);
    default:
      return SumPixels<kChannels, kRows, 0>(sums, columns, row, stride);
  }
}

template <int kChannels>
JAXDALI_ALWAYS_INLINE void SumFew(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  if (sums.count == kRowsAtOnce) return SumPixelsOf<kChannels, kRowsAtOnce>(sums, columns, row, stride);
  SumsRows one = sums;
  for (int64_t r = 0; r < sums.count; ++r, one.origin += sums.stride, row += stride) {
    SumPixelsOf<kChannels, 1>(one, columns, row, stride);
  }
}

JAXDALI_CLONED void SumOne(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  SumFew<1>(sums, columns, row, stride);
}

JAXDALI_CLONED void SumThree(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  SumFew<3>(sums, columns, row, stride);
}

JAXDALI_CLONED void SumFour(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  SumFew<4>(sums, columns, row, stride);
}

JAXDALI_CLONED void SumMany(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  const int64_t width = columns.size(), channels = sums.channels;
  for (int64_t r = 0; r < sums.count; ++r) {
    float* to = row + r * stride;
    for (int64_t x = 0; x < width; ++x, to += channels) {
      const float* at = sums.origin + r * sums.stride + columns.first(x) * sums.step;
      const float* weights = columns.weights(x);
      const int64_t count = columns.count(x);
      for (int64_t c = 0; c < channels; ++c) to[c] = weights[0] * at[c];
      for (int64_t k = 1; k < count; ++k) {
        at += sums.step;
        for (int64_t c = 0; c < channels; ++c) to[c] += weights[k] * at[c];
      }
    }
  }
}

JAXDALI_CLONED void RoundRow(const float* __restrict row, int64_t length, float most, uint8_t* __restrict levels) {
  for (int64_t x = 0; x < length; ++x) {
    // NaN fails the comparison and becomes 0.
    const float value = std::min(row[x] > 0.0f ? row[x] : 0.0f, most);
    const int32_t below = static_cast<int32_t>(value);
    // `floor(x + 0.5)` would be wrong at 0.49999997: the sum rounds up to 1.
    levels[x] = static_cast<uint8_t>(below + (value - static_cast<float>(below) >= 0.5f ? 1 : 0));
  }
}

}  // namespace

void SumRows(const uint8_t* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums) {
  SumByteRows(source, stride, weights, count, length, sums);
}

void SumRows(const float* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums) {
  SumFloatRows(source, stride, weights, count, length, sums);
}

void SumColumns(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  switch (sums.channels) {
    case 1:
      return SumOne(sums, columns, row, stride);
    case 3:
      return SumThree(sums, columns, row, stride);
    case 4:
      return SumFour(sums, columns, row, stride);
    default:
      return SumMany(sums, columns, row, stride);
  }
}

void RoundToLevels(const float* row, int64_t length, int32_t most, uint8_t* levels) {
  RoundRow(row, length, static_cast<float>(most), levels);
}

}  // namespace jaxdali::cpu
