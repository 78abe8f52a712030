// Signals at another rate: what lies between samples, by a windowed sinc.
#pragma once

#include <cstdint>
#include <vector>

namespace jaxdali::audio {

// A sinc within a Hann window, `lobes` to either side of a sample. Weights of the samples around a place depend on the
// place's fraction alone: there is a row of them for each 1/32, and between two rows they are interpolated.
class Sinc {
 public:
  // Of a quality from 0 (3 lobes) over 50 (16) to 100 (64).
  explicit Sinc(double quality);

  int lobes() const { return lobes_; }

  // Writes `out`, of which sample k lies at k * `step` of those of `in`. Beyond its ends a signal is 0.
  void Resample(const float* in, int64_t in_samples, float* out, int64_t out_samples, double step) const;

 private:
  int lobes_;
  // Weights in a row: a multiple of four, those behind the last one are 0.
  int taps_;
  // Rows of weights, and of what leads from each to the next.
  std::vector<float> rows_, rises_;
};

// The kernel of a quality, made once.
const Sinc& SincOf(double quality);

}  // namespace jaxdali::audio
