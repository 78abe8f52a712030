// Which source pixels contribute to the results along one axis, and with which weights. jaxdali/_device/image does the
// same arithmetic on every platform: each number is a float32 or an integer.
#ifndef JAXDALI_IMAGING_AXIS_WEIGHTS_H_
#define JAXDALI_IMAGING_AXIS_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "recipes/axis_plan.h"

namespace jaxdali {

// Requested result i is the sum of weights(i)[k] * source[first(i) + k] for k < count(i), in ascending order.
class AxisWeights {
 public:
  // The request must have no fault (FaultOf). Allocates only what the requested results need. Throws std::bad_alloc.
  void Make(const AxisRequest& request);

  int64_t size() const { return static_cast<int64_t>(first_.size()); }
  int64_t first(int64_t i) const { return first_[i]; }
  int64_t count(int64_t i) const { return count_[i]; }
  const float* weights(int64_t i) const { return weights_.data() + i * taps_; }
  // first(i) and count(i) of all results.
  const int32_t* firsts() const { return first_.data(); }
  const int32_t* counts() const { return count_.data(); }
  // Each result has room for this many weights; those from count(i) on are 0.
  int64_t taps() const { return taps_; }
  // Source pixels begin(), ..., end() - 1 are read; none if nothing is requested.
  int64_t begin() const { return begin_; }
  int64_t end() const { return end_; }
  // Bytes of memory held.
  int64_t bytes() const {
    return static_cast<int64_t>(weights_.capacity() * sizeof(float) + 2 * first_.capacity() * sizeof(int32_t));
  }
  // Whether each result is one source pixel, unchanged; and whether these pixels are adjacent.
  bool selects() const { return selects_; }
  bool is_contiguous() const { return is_contiguous_; }

 private:
  void Allocate(int64_t count, int64_t taps);
  void MakeCopied();
  void MakeNearest(const AxisPlan& plan);
  void MakeTriangular(const AxisPlan& plan);
  void MakeFromTable(const AxisPlan& plan);
  void Summarize();

  AxisRequest made_ = {};
  bool is_made_ = false;
  std::vector<int32_t> first_, count_;
  std::vector<float> weights_;
  int64_t taps_ = 0, begin_ = 0, end_ = 0;
  bool selects_ = false, is_contiguous_ = false;
};

}  // namespace jaxdali

#endif  // JAXDALI_IMAGING_AXIS_WEIGHTS_H_
