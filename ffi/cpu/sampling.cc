#include "cpu/sampling.h"

#include <algorithm>
#include <cstring>

#include "cpu/cloned.h"

namespace jaxdali::cpu {
namespace {

// Four floats at any address: a pixel and whatever follows it.
typedef float Float4 __attribute__((vector_size(16)));

JAXDALI_ALWAYS_INLINE Float4 Load(const float* at) {
  Float4 value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

JAXDALI_ALWAYS_INLINE void Store(float* at, Float4 value) { std::memcpy(at, &value, sizeof(value)); }

// The rows at `source` and `stride` bytes behind it.
template <typename Pixel>
JAXDALI_ALWAYS_INLINE const Pixel* RowAt(const Pixel* source, int64_t stride, int64_t index) {
  return reinterpret_cast<const Pixel*>(reinterpret_cast<const uint8_t*>(source) + index * stride);
}

// Adds up `kCount` rows, after what is in the sums already if `kContinues`; each sum stays in a register.
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

// Up to six rows at a time; the order of the additions is the same.
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

// The same pixel of `kRows` rows, of three channels, read as four: the last lane is nobody's, and the next pixel
// overwrites it. `kTaps` weights, or, where that is 0, as many as the pixel has.
template <int kRows, int kTaps>
JAXDALI_ALWAYS_INLINE void SumThreeOf(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  // In registers: stores could change what lies in memory, as far as the compiler knows.
  const int64_t width = columns.size(), taps = columns.taps(), step = sums.step, below = sums.stride;
  const int32_t *const firsts = columns.firsts(), *const counts = columns.counts();
  const float* const origin = sums.origin;
  const float* weights = columns.weights(0);
  for (int64_t x = 0; x < width; ++x, weights += taps) {
    const float* at = origin + firsts[x] * step;
    const int64_t count = kTaps > 0 ? kTaps : counts[x];
    Float4 total[kRows];
    for (int r = 0; r < kRows; ++r) total[r] = weights[0] * Load(at + r * below);
    for (int64_t k = 1; k < count; ++k) {
      at += step;
      for (int r = 0; r < kRows; ++r) total[r] += weights[k] * Load(at + r * below);
    }
    for (int r = 0; r < kRows; ++r) Store(row + r * stride + x * 3, total[r]);
  }
}

template <int kRows>
JAXDALI_ALWAYS_INLINE void SumThreeRows(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  switch (sums.is_padded ? columns.taps() : 0) {
    case 2:
      return SumThreeOf<kRows, 2>(sums, columns, row, stride);
    case 3:
      return SumThreeOf<kRows, 3>(sums, columns, row, stride);
    case 4:
      return SumThreeOf<kRows, 4>(sums, columns, row, stride);
    case 5:
      return SumThreeOf<kRows, 5>(sums, columns, row, stride);
    case 6:
      return SumThreeOf<kRows, 6>(sums, columns, row, stride);
    case 7:
      return SumThreeOf<kRows, 7>(sums, columns, row, stride);
    case 8:
      return SumThreeOf<kRows, 8>(sums, columns, row, stride);
    default:
      return SumThreeOf<kRows, 0>(sums, columns, row, stride);
  }
}

JAXDALI_CLONED void SumThree(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  if (sums.count == kRowsAtOnce) return SumThreeRows<kRowsAtOnce>(sums, columns, row, stride);
  for (int64_t r = 0; r < sums.count; ++r) {
    SumsRows one = sums;
    one.origin += r * sums.stride;
    SumThreeRows<1>(one, columns, row + r * stride, stride);
  }
}

JAXDALI_CLONED void SumOne(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride) {
  const int64_t width = columns.size();
  for (int64_t r = 0; r < sums.count; ++r, row += stride) {
    const float* const origin = sums.origin + r * sums.stride;
    for (int64_t x = 0; x < width; ++x) {
      const float* at = origin + columns.first(x) * sums.step;
      const float* weights = columns.weights(x);
      const int64_t count = columns.count(x);
      float sum = weights[0] * at[0];
      for (int64_t k = 1; k < count; ++k) sum += weights[k] * at[k * sums.step];
      row[x] = sum;
    }
  }
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
    // NaN fails the comparison. Below zero nothing is rounded up to 1.
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
    default:
      return SumMany(sums, columns, row, stride);
  }
}

void RoundToLevels(const float* row, int64_t length, int32_t most, uint8_t* levels) {
  RoundRow(row, length, static_cast<float>(most), levels);
}

}  // namespace jaxdali::cpu
