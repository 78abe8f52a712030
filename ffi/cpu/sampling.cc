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

// Up to four rows at a time stay in a register; the order of the additions is the same.
template <typename Pixel>
JAXDALI_ALWAYS_INLINE void SumRowsOf(const Pixel* __restrict source, int64_t stride, const float* __restrict weights,
                                     int64_t count, int64_t length, float* __restrict sums) {
  int64_t done = 0;
  if (count >= 4) {
    const Pixel *a = source, *b = RowAt(source, stride, 1), *c = RowAt(source, stride, 2),
                *d = RowAt(source, stride, 3);
    const float u = weights[0], v = weights[1], w = weights[2], z = weights[3];
    for (int64_t x = 0; x < length; ++x) {
      sums[x] = ((u * static_cast<float>(a[x]) + v * static_cast<float>(b[x])) + w * static_cast<float>(c[x])) +
                z * static_cast<float>(d[x]);
    }
    done = 4;
  } else if (count >= 2) {
    const Pixel *a = source, *b = RowAt(source, stride, 1);
    const float u = weights[0], v = weights[1];
    for (int64_t x = 0; x < length; ++x) sums[x] = u * static_cast<float>(a[x]) + v * static_cast<float>(b[x]);
    done = 2;
  } else {
    for (int64_t x = 0; x < length; ++x) sums[x] = weights[0] * static_cast<float>(source[x]);
    done = 1;
  }
  for (; done + 2 <= count; done += 2) {
    const Pixel *a = RowAt(source, stride, done), *b = RowAt(source, stride, done + 1);
    const float u = weights[done], v = weights[done + 1];
    for (int64_t x = 0; x < length; ++x) {
      sums[x] = (sums[x] + u * static_cast<float>(a[x])) + v * static_cast<float>(b[x]);
    }
  }
  if (done < count) {
    const Pixel* a = RowAt(source, stride, done);
    const float u = weights[done];
    for (int64_t x = 0; x < length; ++x) sums[x] = sums[x] + u * static_cast<float>(a[x]);
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

// Pixels of three channels, read as four: the last lane is nobody's, and the next pixel overwrites it.
JAXDALI_CLONED void SumThree(const float* origin, int64_t step, const AxisWeights& columns, float* row) {
  const int64_t width = columns.size();
  for (int64_t x = 0; x < width; ++x) {
    const float* at = origin + columns.first(x) * step;
    const float* weights = columns.weights(x);
    const int64_t count = columns.count(x);
    Float4 sum = weights[0] * Load(at);
    for (int64_t k = 1; k < count; ++k) sum += weights[k] * Load(at + k * step);
    Store(row + x * 3, sum);
  }
}

JAXDALI_CLONED void SumOne(const float* origin, int64_t step, const AxisWeights& columns, float* row) {
  const int64_t width = columns.size();
  for (int64_t x = 0; x < width; ++x) {
    const float* at = origin + columns.first(x) * step;
    const float* weights = columns.weights(x);
    const int64_t count = columns.count(x);
    float sum = weights[0] * at[0];
    for (int64_t k = 1; k < count; ++k) sum += weights[k] * at[k * step];
    row[x] = sum;
  }
}

JAXDALI_CLONED void SumMany(const SumsRow& sums, const AxisWeights& columns, float* row) {
  const int64_t width = columns.size(), channels = sums.channels;
  for (int64_t x = 0; x < width; ++x, row += channels) {
    const float* at = sums.origin + columns.first(x) * sums.step;
    const float* weights = columns.weights(x);
    const int64_t count = columns.count(x);
    for (int64_t c = 0; c < channels; ++c) row[c] = weights[0] * at[c];
    for (int64_t k = 1; k < count; ++k) {
      at += sums.step;
      for (int64_t c = 0; c < channels; ++c) row[c] += weights[k] * at[c];
    }
  }
}

JAXDALI_CLONED void RoundRow(const float* __restrict row, int64_t length, int32_t most, uint8_t* __restrict levels) {
  for (int64_t x = 0; x < length; ++x) {
    // Within -1 to 256 first, so that it converts; NaN fails the comparison.
    const float value = std::min(row[x] > -1.0f ? row[x] : -1.0f, 256.0f);
    const int32_t below = static_cast<int32_t>(value);
    // `floor(x + 0.5)` would be wrong at 0.49999997: the sum rounds up to 1. Below zero nothing matters.
    const int32_t level = below + (value - static_cast<float>(below) >= 0.5f ? 1 : 0);
    levels[x] = static_cast<uint8_t>(std::max(std::min(level, most), 0));
  }
}

}  // namespace

void SumRows(const uint8_t* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums) {
  SumByteRows(source, stride, weights, count, length, sums);
}

void SumRows(const float* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums) {
  SumFloatRows(source, stride, weights, count, length, sums);
}

void SumColumns(const SumsRow& sums, const AxisWeights& columns, float* row) {
  switch (sums.channels) {
    case 1:
      return SumOne(sums.origin, sums.step, columns, row);
    case 3:
      return SumThree(sums.origin, sums.step, columns, row);
    default:
      return SumMany(sums, columns, row);
  }
}

void RoundToLevels(const float* row, int64_t length, int32_t most, uint8_t* levels) {
  RoundRow(row, length, most, levels);
}

}  // namespace jaxdali::cpu
