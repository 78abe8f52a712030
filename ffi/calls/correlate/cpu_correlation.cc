#include "calls/correlate/cpu_correlation.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "base/cloned.h"

namespace jaxdali::cpu {
namespace {

constexpr int64_t kLeastRows = 16, kMostRows = 64;

// Returns how many rows of results a part has. They share rows of pixels, so taller weights get more rows.
int64_t RowsOfPart(const Correlation& c) { return std::clamp(c.taps[1], kLeastRows, kMostRows); }

int64_t PartsOfPlane(const Correlation& c) { return (c.size[1] + RowsOfPart(c) - 1) / RowsOfPart(c); }

// Converts a row of pixels to floats and extends it beyond its edges.
class WideRow {
 public:
  WideRow(const Correlation& c, int64_t extent, int64_t before, float fill)
      : channels_(c.channels), fill_(fill), sources_(c.size[2] + c.taps[2] - 1) {
    for (int64_t x = 0; x < pixels(); ++x) sources_[x] = Source(c.border, x - before, extent);
    // The pixels within the image are one run.
    first_ = std::clamp<int64_t>(before, 0, pixels());
    last_ = std::clamp<int64_t>(before + extent, first_, pixels());
  }

  int64_t pixels() const { return static_cast<int64_t>(sources_.size()); }
  int64_t length() const { return pixels() * channels_; }

  void Fill(float* row) const { std::fill_n(row, length(), fill_); }

  template <typename T>
  void Load(const T* source, float* row) const {
    LoadPixels(source, row, 0, first_);
    if (first_ < last_) {
      const T* const run = source + sources_[first_] * channels_;
      float* const target = row + first_ * channels_;
      for (int64_t i = 0; i < (last_ - first_) * channels_; ++i) target[i] = static_cast<float>(run[i]);
    }
    LoadPixels(source, row, last_, pixels());
  }

 private:
  template <typename T>
  void LoadPixels(const T* source, float* row, int64_t begin, int64_t end) const {
    for (int64_t x = begin; x < end; ++x) {
      for (int64_t k = 0; k < channels_; ++k) {
        const float own = sources_[x] == kNowhere ? fill_ : static_cast<float>(source[sources_[x] * channels_ + k]);
        row[x * channels_ + k] = own;
      }
    }
  }

  const int64_t channels_;
  const float fill_;
  std::vector<int64_t> sources_;
  int64_t first_, last_;
};

constexpr int64_t kLanes = 8, kVectors = 4;
using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));

// Rows of pixels and the row of weights that each is multiplied by.
struct Weighed {
  const float* const* rows;
  const float* weights;
  int64_t count, taps, channels;
};

// Computes results from `x` on, with the sums in registers. They start at minus zero: adding to it changes no number.
JAXDALI_ALWAYS_INLINE void WeighVectors(const Weighed& weighed, int64_t x, float* result) {
  Vector sums[kVectors];
  for (Vector& sum : sums) sum = -Vector{};
  const float* weight = weighed.weights;
  for (int64_t row = 0; row < weighed.count; ++row) {
    const float* pixel = weighed.rows[row] + x;
    for (int64_t tap = 0; tap < weighed.taps; ++tap, ++weight, pixel += weighed.channels) {
      for (int64_t k = 0; k < kVectors; ++k) {
        Vector pixels;
        std::memcpy(&pixels, pixel + k * kLanes, sizeof(pixels));
        sums[k] += pixels * *weight;
      }
    }
  }
  std::memcpy(result + x, sums, sizeof(sums));
}

JAXDALI_CLONED void Weigh(const Weighed& weighed, int64_t length, float* result) {
  constexpr int64_t kStep = kLanes * kVectors;
  for (int64_t x = 0; x + kStep <= length; x += kStep) WeighVectors(weighed, x, result);
  if (length % kStep == 0) return;
  if (length >= kStep) return WeighVectors(weighed, length - kStep, result);  // computes some results again
  for (int64_t x = 0; x < length; ++x) {
    float sum = -0.0f;
    const float* weight = weighed.weights;
    for (int64_t row = 0; row < weighed.count; ++row) {
      for (int64_t tap = 0; tap < weighed.taps; ++tap, ++weight) {
        sum += *weight * weighed.rows[row][x + tap * weighed.channels];
      }
    }
    result[x] = sum;
  }
}

template <typename T>
void CorrelatePart(const Correlation& c, int64_t part) {
  const int64_t parts = PartsOfPlane(c), depth = part / parts % c.size[0], sample = part / parts / c.size[0];
  const int64_t begin = part % parts * RowsOfPart(c), rows = std::min(RowsOfPart(c), c.size[1] - begin);
  const int32_t* const before = c.before.Of(sample);
  int64_t extents[kAxes];
  for (int axis = 0; axis < kAxes; ++axis) {
    extents[axis] = std::clamp<int64_t>(c.extents.Of(sample)[axis], 1, c.canvas[axis]);
  }
  const WideRow wide(c, extents[2], before[2], *c.fill.Of(sample));
  const int64_t high = rows + c.taps[1] - 1;  // rows of pixels of each plane
  std::vector<float> pixels(c.taps[0] * high * wide.length());
  const T* const image =
      static_cast<const T*>(c.pixels) + sample * c.canvas[0] * c.canvas[1] * c.canvas[2] * c.channels;
  for (int64_t q = 0; q < c.taps[0]; ++q) {
    const int64_t z = Source(c.border, depth + q - before[0], extents[0]);
    for (int64_t r = 0; r < high; ++r) {
      const int64_t y = Source(c.border, begin + r - before[1], extents[1]);
      float* const row = pixels.data() + (q * high + r) * wide.length();
      if (z == kNowhere || y == kNowhere) {
        wide.Fill(row);
      } else {
        wide.Load(image + (z * c.canvas[1] + y) * c.canvas[2] * c.channels, row);
      }
    }
  }
  std::vector<const float*> weighed(c.taps[0] * c.taps[1]);
  const int64_t length = c.size[2] * c.channels;
  float* result = c.result + ((sample * c.size[0] + depth) * c.size[1] + begin) * length;
  for (int64_t row = 0; row < rows; ++row, result += length) {
    for (int64_t k = 0; k < static_cast<int64_t>(weighed.size()); ++k) {
      weighed[k] = pixels.data() + (k / c.taps[1] * high + row + k % c.taps[1]) * wide.length();
    }
    Weigh({weighed.data(), c.weights.Of(sample), c.taps[0] * c.taps[1], c.taps[2], c.channels}, length, result);
  }
}

}  // namespace

int64_t CorrelationParts(const Correlation& correlation) {
  return correlation.samples * correlation.size[0] * PartsOfPlane(correlation);
}

bool Correlate(const Correlation& correlation, int64_t part) noexcept {
  try {
    switch (correlation.type) {
      case CorrelatedType::kUint8:
        CorrelatePart<uint8_t>(correlation, part);
        break;
      case CorrelatedType::kInt16:
        CorrelatePart<int16_t>(correlation, part);
        break;
      case CorrelatedType::kUint16:
        CorrelatePart<uint16_t>(correlation, part);
        break;
      case CorrelatedType::kFloat32:
        CorrelatePart<float>(correlation, part);
        break;
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace jaxdali::cpu
