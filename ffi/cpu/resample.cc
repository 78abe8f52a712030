#include "cpu/resample.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/resample_axis.h"
#include "common/rows.h"

// A second copy for processors with twice as wide vectors, chosen when the module is loaded. The roundings are the
// same. Not with gcc's sanitizer for threads, which is not ready yet when one of them is chosen.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define JAXDALI_CLONED __attribute__((target_clones("avx2", "default")))
#else
#define JAXDALI_CLONED
#endif

namespace jaxdali::cpu {
namespace {

constexpr int64_t kLevels = 256;

// Four floats at any address: a pixel and whatever follows it.
typedef float Float4 __attribute__((vector_size(16)));

Float4 Load(const float* at) {
  Float4 value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

void Store(float* at, Float4 value) { std::memcpy(at, &value, sizeof(value)); }

// The weights of one axis: result i is the sum of weights(i)[k] * source[first(i) + k] for k < count(i).
class Taps {
 public:
  Taps(int64_t in, int64_t out) : first_(out), count_(out) {
    const ResampleAxis<int64_t> axis(in, out);
    capacity_ = axis.Capacity();
    weights_.resize(out * capacity_);
    for (int64_t i = 0; i < out; ++i) {
      const Support<int64_t> support = axis.At(i);
      const float total = static_cast<float>(axis.Total(support));
      float* const weights = weights_.data() + i * capacity_;
      for (int64_t j = support.first; j < support.end; ++j) {
        weights[j - support.first] = static_cast<float>(axis.Tap(support, j)) / total;
      }
      first_[i] = support.first;
      count_[i] = support.end - support.first;
    }
  }

  int64_t first(int64_t i) const { return first_[i]; }
  int64_t count(int64_t i) const { return count_[i]; }
  const float* weights(int64_t i) const { return weights_.data() + i * capacity_; }

 private:
  std::vector<int64_t> first_, count_;
  std::vector<float> weights_;
  int64_t capacity_;  // of weights for one result
};

// One row of results: sums over `count` source rows, `stride` bytes apart. Up to four at a time stay in a register; the
// order of the additions is the same.
JAXDALI_CLONED void SumRows(const uint8_t* __restrict source, int64_t stride, const float* __restrict weights,
                            int64_t count, int64_t length, float* __restrict sums) {
  int64_t done = 0;
  if (count >= 2) {
    const uint8_t *a = source, *b = source + stride;
    const float u = weights[0], v = weights[1];
    for (int64_t x = 0; x < length; ++x) sums[x] = u * static_cast<float>(a[x]) + v * static_cast<float>(b[x]);
    done = 2;
  } else {
    for (int64_t x = 0; x < length; ++x) sums[x] = weights[0] * static_cast<float>(source[x]);
    done = 1;
  }
  for (; done + 2 <= count; done += 2) {
    const uint8_t *a = source + done * stride, *b = a + stride;
    const float u = weights[done], v = weights[done + 1];
    for (int64_t x = 0; x < length; ++x) {
      sums[x] = (sums[x] + u * static_cast<float>(a[x])) + v * static_cast<float>(b[x]);
    }
  }
  if (done < count) {
    const uint8_t* a = source + done * stride;
    const float u = weights[done];
    for (int64_t x = 0; x < length; ++x) sums[x] = sums[x] + u * static_cast<float>(a[x]);
  }
}

// Weighs the pixels of one row of sums. `sums` and `row` have room for one float more than their pixels.
void SumColumns(const float* __restrict sums, const Taps& columns, int64_t width, float* __restrict row) {
  for (int64_t x = 0; x < width; ++x) {
    const float* at = sums + columns.first(x) * kChannels;
    const float* weights = columns.weights(x);
    const int64_t count = columns.count(x);
    Float4 sum = weights[0] * Load(at);
    for (int64_t k = 1; k < count; ++k) sum += weights[k] * Load(at + k * kChannels);
    // The fourth lane is nobody's; the next pixel overwrites it.
    Store(row + x * kChannels, sum);
  }
}

// Rounds to the nearest level. `row` holds averages of levels, which rounding may have carried past 255 by a little.
JAXDALI_CLONED void RoundToLevels(const float* __restrict row, int64_t length, uint8_t* __restrict levels) {
  for (int64_t x = 0; x < length; ++x) {
    const int32_t below = static_cast<int32_t>(row[x]);
    // `floor(x + 0.5)` would be wrong at 0.49999997: the sum rounds up to 1.
    const int32_t level = below + (row[x] - static_cast<float>(below) >= 0.5f ? 1 : 0);
    levels[x] = static_cast<uint8_t>(std::min(level, 255));
  }
}

template <typename Element>
void StoreRow(const uint8_t* levels, bool flip, const Element* table, const ResampleTarget& target, int64_t y) {
  Element* to = static_cast<Element*>(target.data);
  const int64_t plane = target.channels_first ? target.height * target.width : 1;
  const int64_t step = target.channels_first ? 1 : kChannels;
  to += y * target.width * step;
  const int64_t from_step = flip ? -kChannels : kChannels;
  const uint8_t* from = levels + (flip ? (target.width - 1) * kChannels : 0);
  for (int64_t x = 0; x < target.width; ++x, from += from_step, to += step) {
    to[0] = table[from[0]];
    to[plane] = table[kLevels + from[1]];
    to[2 * plane] = table[2 * kLevels + from[2]];
  }
}

}  // namespace

void Resample(const PixelView& source, bool flip, const void* table, const ResampleTarget& target) {
  const Taps rows(source.height, target.height), columns(source.width, target.width);
  std::vector<float> sums(source.width * kChannels + 1), row(target.width * kChannels + 1);
  std::vector<uint8_t> levels(target.width * kChannels);
  for (int64_t y = 0; y < target.height; ++y) {
    SumRows(source.pixels + rows.first(y) * source.stride, source.stride, rows.weights(y), rows.count(y),
            source.width * kChannels, sums.data());
    SumColumns(sums.data(), columns, target.width, row.data());
    RoundToLevels(row.data(), target.width * kChannels, levels.data());
    switch (target.element_size) {
      case 1:
        StoreRow(levels.data(), flip, static_cast<const uint8_t*>(table), target, y);
        break;
      case 2:
        StoreRow(levels.data(), flip, static_cast<const uint16_t*>(table), target, y);
        break;
      default:
        StoreRow(levels.data(), flip, static_cast<const uint32_t*>(table), target, y);
    }
  }
}

}  // namespace jaxdali::cpu
