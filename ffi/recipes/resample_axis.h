// The weights of the antialiased triangular filter along one axis, as integers: the same on every processor.
//
// Along an axis of `in` source pixels and `out` results, result i weighs source pixel j with
//   max(0, reach - |(2i + 1) * in - out - 2 * out * j|),   reach = 2 * max(in, out), or 2 * out without antialiasing.
// Weights of pixels beyond an edge are added to that of the pixel at the edge. Each weight is divided by their sum.
#ifndef JAXDALI_RECIPES_RESAMPLE_AXIS_H_
#define JAXDALI_RECIPES_RESAMPLE_AXIS_H_

#include <cstdint>

#include "base/host_device.h"

namespace jaxdali {

// The source pixels first, ..., end - 1 contribute to one result.
template <typename Integer>
struct Support {
  Integer center;
  Integer first;
  Integer end;
};

// `Integer` is int64_t, or int32_t where IsSmall.
template <typename Integer>
class ResampleAxis {
 public:
  // Whether no number along an axis overflows 32 bits.
  JAXDALI_HOST_DEVICE static bool IsSmall(int64_t in, int64_t out) {
    const int64_t most = in > out ? in : out;
    // Centers are below 2 * in * out, sums of taps below 4 * most * most / out.
    return in * out < (1 << 28) && most < (1 << 24) && most * most / out < (1 << 27);
  }

  JAXDALI_HOST_DEVICE ResampleAxis(Integer in, Integer out, bool antialias = true)
      : in_(in), out_(out), step_(2 * out), reach_(2 * (antialias && in > out ? in : out)) {}

  // Returns the largest number of pixels that contribute to a result.
  JAXDALI_HOST_DEVICE Integer Capacity() const { return (2 * reach_ + step_ - 1) / step_; }

  JAXDALI_HOST_DEVICE Support<Integer> At(Integer i) const {
    const Integer center = (2 * i + 1) * in_ - out_;
    const Integer first = FloorDivide(center - reach_, step_) + 1, end = -FloorDivide(-center - reach_, step_);
    return {center, first < 0 ? 0 : first, end > in_ ? in_ : end};
  }

  // Returns the weight of source pixel j of a support, before it is divided by Total.
  JAXDALI_HOST_DEVICE Integer Tap(const Support<Integer>& support, Integer j) const {
    const Integer distance = support.center - step_ * j;
    Integer tap = reach_ - (distance < 0 ? -distance : distance);
    // If no tap lies beyond the edge, this adds nothing.
    if (j == 0) tap += SumBeyond(reach_ - support.center);
    if (j == in_ - 1) tap += SumBeyond(reach_ - (step_ * j - support.center));
    return tap;
  }

  // Returns the sum of all taps of a support, up to its center and behind it, including those beyond edges.
  JAXDALI_HOST_DEVICE Integer Total(const Support<Integer>& support) const {
    const Integer behind = support.center - step_ * FloorDivide(support.center, step_);
    return SumBeyond(reach_ - behind + step_) + SumBeyond(reach_ + behind);
  }

 private:
  // Rounds down; `b` is positive.
  JAXDALI_HOST_DEVICE static Integer FloorDivide(Integer a, Integer b) { return a / b - (a % b < 0); }

  // Returns the sum of the positive terms of height - step, height - 2 * step, ...: the taps beyond an edge.
  JAXDALI_HOST_DEVICE Integer SumBeyond(Integer height) const {
    const Integer count = height < 0 ? 0 : height / step_;
    return count * height - step_ * (count * (count + 1) / 2);
  }

  Integer in_, out_, step_, reach_;
};

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_RESAMPLE_AXIS_H_
