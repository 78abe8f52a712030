// Whether the JPEG engine gets on with several groups at once, or only with one after the other.
#ifndef JAXDALI_GPU_PACE_H_
#define JAXDALI_GPU_PACE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace jaxdali::gpu {

// On a GPU that does nothing else two threads with two groups each are fastest. Beside a training step nvJPEG's streams
// then wait for each other and for the step: an H200 decodes 1.7k images a second, and 20k with one thread that has one
// group and always the same state. Neither can be seen from outside, so it is tried: where several groups crawl, they
// go one by one for a while, which gets longer with every trial that fails.
class Pace {
 public:
  bool one_by_one() const { return one_by_one_; }

  // A group is done, `seconds` after it was begun, when `groups` were under way, itself included.
  void Note(size_t images, uint64_t pixels, size_t groups, double seconds) {
    if (one_by_one_) {
      if (++done_ < patience_) return;
      one_by_one_ = false;
      done_ = 0;
      return;
    }
    const double together = static_cast<double>(groups) / std::max(seconds, 1e-6);
    const bool crawls = static_cast<double>(images) * together < kImagesPerSecond &&
                        static_cast<double>(pixels) * together < kPixelsPerSecond;
    if (images < kFew || !crawls) {
      if (++done_ == kTrial) patience_ = kPatience;
      return;
    }
    if (done_ < kTrial) patience_ = std::min(2 * patience_, kMostPatience);
    one_by_one_ = true;
    done_ = 0;
  }

 private:
  // Slower than both is no engine at work: large images are few a second, small ones few pixels.
  static constexpr double kImagesPerSecond = 5e3;
  static constexpr double kPixelsPerSecond = 1e9;
  // A group of fewer images says little.
  static constexpr size_t kFew = 32;
  // Groups: after so many in good time a trial has succeeded; that go one by one before the next trial.
  static constexpr uint64_t kTrial = 64, kPatience = 256, kMostPatience = 16384;

  bool one_by_one_ = false;
  uint64_t done_ = 0;
  uint64_t patience_ = kPatience;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_PACE_H_
