#include "audio/resampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

namespace jaxdali::audio {
namespace {

constexpr int kRows = 32;
constexpr int kMostLobes = 64;

using Four = float __attribute__((vector_size(16)));

Four Load(const float* from) {
  Four found;
  std::memcpy(&found, from, sizeof(found));
  return found;
}

int LobesOf(double quality) {
  const double found = std::round(0.007 * quality * quality - 0.09 * quality + 3);
  return static_cast<int>(std::clamp(found, 1.0, static_cast<double>(kMostLobes)));
}

// Returns the weight of a sample `x` samples from the centre of a window that ends `lobes` samples to either side.
double Weight(double x, int lobes) {
  // The window is a little wider than the lobes, so that it is not zero where they end.
  const double width = (kRows * 2 * lobes + 1) / (2.0 * kRows);
  if (std::abs(x) >= lobes + 1e-9) return 0;
  const double sinc = std::abs(x) < 1e-9 ? 1 : std::sin(M_PI * x) / (M_PI * x);
  return sinc * 0.5 * (1 + std::cos(M_PI * x / width));
}

}  // namespace

Sinc::Sinc(double quality) : lobes_(LobesOf(quality)), taps_((2 * lobes_ + 3) / 4 * 4) {
  // At a position with the fractional part f, the window's first sample is `lobes - 1` before the integer part.
  std::vector<float> rows((kRows + 1) * taps_, 0.0f);
  for (int row = 0; row <= kRows; ++row) {
    for (int tap = 0; tap < 2 * lobes_; ++tap) {
      rows[row * taps_ + tap] =
          static_cast<float>(Weight(tap - (lobes_ - 1) - row / static_cast<double>(kRows), lobes_));
    }
  }
  rises_.resize(kRows * taps_);
  for (int k = 0; k < kRows * taps_; ++k) rises_[k] = rows[k + taps_] - rows[k];
  rows_ = std::move(rows);
}

void Sinc::Resample(const float* in, int64_t in_samples, float* out, int64_t out_samples, double step) const {
  for (int64_t sample = 0; sample < out_samples; ++sample) {
    const double place = static_cast<double>(sample) * step;
    const double whole = std::floor(place);
    const double scaled = (place - whole) * kRows;
    const int row = std::min(static_cast<int>(scaled), kRows - 1);
    const float part = static_cast<float>(scaled - row);
    const float* const base = rows_.data() + row * taps_;
    const float* const rise = rises_.data() + row * taps_;
    const int64_t first = static_cast<int64_t>(whole) - (lobes_ - 1);
    if (first >= 0 && first + taps_ <= in_samples) {
      const float* const from = in + first;
      Four sum = {};
      for (int tap = 0; tap < taps_; tap += 4) {
        sum += Load(from + tap) * (Load(base + tap) + part * Load(rise + tap));
      }
      out[sample] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
      continue;
    }
    const int begin = static_cast<int>(std::clamp<int64_t>(-first, 0, 2 * lobes_));
    const int end = static_cast<int>(std::clamp<int64_t>(in_samples - first, begin, 2 * lobes_));
    float sum = 0;
    for (int tap = begin; tap < end; ++tap) sum += in[first + tap] * (base[tap] + part * rise[tap]);
    out[sample] = sum;
  }
}

const Sinc& SincOf(double quality) {
  static std::array<std::once_flag, kMostLobes + 1> made;
  static std::array<std::unique_ptr<const Sinc>, kMostLobes + 1> kernels;
  const int lobes = LobesOf(quality);
  std::call_once(made[lobes], [&] { kernels[lobes] = std::make_unique<const Sinc>(quality); });
  return *kernels[lobes];
}

}  // namespace jaxdali::audio
