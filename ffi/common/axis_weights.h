// Which source pixels the results along one axis weigh, and how much. jaxdali/image holds the same arithmetic for every
// platform: each number is one float32, or a whole number.
#ifndef JAXDALI_COMMON_AXIS_WEIGHTS_H_
#define JAXDALI_COMMON_AXIS_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "common/axis_plan.h"

namespace jaxdali {

// Result i of those asked for is the sum of weights(i)[k] * source[first(i) + k] for k < count(i), k ascending.
class AxisWeights {
 public:
  // Of a request without a fault (FaultOf). Takes only the memory that the results asked for need. Throws
  // std::bad_alloc.
  void Make(const AxisRequest& request);

  int64_t size() const { return static_cast<int64_t>(first_.size()); }
  int64_t first(int64_t i) const { return first_[i]; }
  int64_t count(int64_t i) const { return count_[i]; }
  const float* weights(int64_t i) const { return weights_.data() + i * taps_; }
  // Of all results; so many weights each.
  const int32_t* firsts() const { return first_.data(); }
  const int32_t* counts() const { return count_.data(); }
  // Each result has room for so many weights; those from count(i) on are 0.
  int64_t taps() const { return taps_; }
  // Source pixels begin, ..., end - 1 are read; none where nothing is asked for.
  int64_t begin() const { return begin_; }
  int64_t end() const { return end_; }
  // Of memory held.
  int64_t bytes() const {
    return static_cast<int64_t>(weights_.capacity() * sizeof(float) + 2 * first_.capacity() * sizeof(int32_t));
  }
  // Whether each result is one source pixel as it is; and those lie side by side.
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

#endif  // JAXDALI_COMMON_AXIS_WEIGHTS_H_
