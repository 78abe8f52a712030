// The weights of the antialiased triangular filter along one axis, in whole numbers: the same on every processor.
//
// Along an axis of `in` source pixels and `out` results, result i weighs source pixel j with
//   max(0, reach - |(2i + 1) * in - out - 2 * out * j|),   reach = 2 * max(in, out);
// what this gives for pixels beyond an edge counts for the pixel at the edge. Each weight is divided by their sum.
#ifndef JAXDALI_COMMON_RESAMPLE_AXIS_H_
#define JAXDALI_COMMON_RESAMPLE_AXIS_H_

#include <cstdint>

#include "common/host_device.h"

namespace jaxdali {

// The source pixels first, ..., end - 1 of one result.
struct Support {
  int64_t center;
  int64_t first;
  int64_t end;
};

class ResampleAxis {
 public:
  JAXDALI_HOST_DEVICE ResampleAxis(int64_t in, int64_t out)
      : in_(in), out_(out), step_(2 * out), reach_(2 * (in > out ? in : out)) {}

  // The most pixels that a result weighs.
  JAXDALI_HOST_DEVICE int64_t Capacity() const { return (2 * reach_ + step_ - 1) / step_; }

  JAXDALI_HOST_DEVICE Support At(int64_t i) const {
    const int64_t center = (2 * i + 1) * in_ - out_;
    const int64_t first = FloorDivide(center - reach_, step_) + 1, end = -FloorDivide(-center - reach_, step_);
    return {center, first < 0 ? 0 : first, end > in_ ? in_ : end};
  }

  // The weight of source pixel j of a support, before it is divided by Total.
  JAXDALI_HOST_DEVICE int64_t Tap(const Support& support, int64_t j) const {
    const int64_t distance = support.center - step_ * j;
    int64_t tap = reach_ - (distance < 0 ? -distance : distance);
    // Where a tap has no place beyond the edge, nothing is added.
    if (j == 0) tap += SumBeyond(reach_ - support.center);
    if (j == in_ - 1) tap += SumBeyond(reach_ - (step_ * j - support.center));
    return tap;
  }

  // The sum of all taps of a support: those up to its center and those behind it, edges or not.
  JAXDALI_HOST_DEVICE int64_t Total(const Support& support) const {
    const int64_t behind = support.center - step_ * FloorDivide(support.center, step_);
    return SumBeyond(reach_ - behind + step_) + SumBeyond(reach_ + behind);
  }

 private:
  // Rounds down; `b` is positive.
  JAXDALI_HOST_DEVICE static int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  // The sum of the positive ones of height - step, height - 2 * step, ...: the taps beyond an edge.
  JAXDALI_HOST_DEVICE int64_t SumBeyond(int64_t height) const {
    const int64_t count = height < 0 ? 0 : height / step_;
    return count * height - step_ * (count * (count + 1) / 2);
  }

  int64_t in_, out_, step_, reach_;
};

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_RESAMPLE_AXIS_H_
