// Resamples signals to another rate with a windowed sinc.
#ifndef JAXDALI_AUDIO_RESAMPLING_H_
#define JAXDALI_AUDIO_RESAMPLING_H_

#include <cstdint>
#include <vector>

namespace jaxdali::audio {

// A sinc in a Hann window that extends `lobes` to either side of a sample. The weights of the samples around a position
// depend only on its fractional part: there is a row of weights for each 1/32, and weights between two rows are
// interpolated.
class Sinc {
 public:
  // `quality` is from 0 (3 lobes) to 100 (64 lobes); 50 gives 16.
  explicit Sinc(double quality);

  int lobes() const { return lobes_; }

  // Writes `out`, whose sample k lies at position k * `step` of `in`. A signal is 0 beyond its ends.
  void Resample(const float* in, int64_t in_samples, float* out, int64_t out_samples, double step) const;

 private:
  int lobes_;
  // Weights per row, rounded up to a multiple of four; those after the last real one are 0.
  int taps_;
  // Rows of weights, and the differences from each row to the next.
  std::vector<float> rows_, rises_;
};

// Returns the kernel of a quality, which is built once.
const Sinc& SincOf(double quality);

}  // namespace jaxdali::audio

#endif  // JAXDALI_AUDIO_RESAMPLING_H_
