#include "imaging/axis_weights.h"

#include <algorithm>
#include <cmath>

#include "recipes/filters.h"
#include "recipes/resample_axis.h"

namespace jaxdali {
namespace {

int64_t Clamp(int64_t value, int64_t low, int64_t high) { return std::min(std::max(value, low), high); }

}  // namespace

void AxisWeights::Make(const AxisRequest& request) {
  if (is_made_ && made_ == request) return;
  is_made_ = false;
  made_ = request;
  const AxisPlan plan = PlanAxis(request);
  switch (plan.kind) {
    case AxisKind::kCopied:
      MakeCopied();
      break;
    case AxisKind::kNearest:
      MakeNearest(plan);
      break;
    case AxisKind::kTriangular:
      MakeTriangular(plan);
      break;
    case AxisKind::kTable:
      MakeFromTable(plan);
      break;
  }
  Summarize();
  is_made_ = true;
}

void AxisWeights::Allocate(int64_t count, int64_t taps) {
  first_.resize(count);
  count_.assign(count, 1);
  weights_.assign(count * taps, 0.0f);
  taps_ = taps;
}

void AxisWeights::MakeCopied() {
  Allocate(made_.count, 1);
  for (int64_t i = 0; i < made_.count; ++i) {
    first_[i] = static_cast<int32_t>(made_.begin + i);
    weights_[i] = 1.0f;
  }
}

void AxisWeights::MakeNearest(const AxisPlan& plan) {
  const AxisRequest& r = made_;
  Allocate(r.count, 1);
  for (int64_t i = 0; i < r.count; ++i) {
    const float source = std::floor((static_cast<float>(r.begin + i) + 0.5f) * plan.scale + r.low);
    first_[i] = static_cast<int32_t>(Clamp(static_cast<int64_t>(source), 0, r.in - 1));
    weights_[i] = 1.0f;
  }
}

void AxisWeights::MakeTriangular(const AxisPlan& plan) {
  const AxisRequest& r = made_;
  const ResampleAxis<int64_t> axis(r.in, r.out, r.antialias);
  const int64_t taps = std::min(plan.taps, r.in);
  Allocate(r.count, taps);
  for (int64_t i = 0; i < r.count; ++i) {
    const Support<int64_t> support = axis.At(r.begin + i);
    const float total = static_cast<float>(axis.Total(support));
    float* const weights = weights_.data() + i * taps;
    for (int64_t j = support.first; j < support.end; ++j) {
      weights[j - support.first] = static_cast<float>(axis.Tap(support, j)) / total;
    }
    first_[i] = static_cast<int32_t>(support.first);
    count_[i] = static_cast<int32_t>(support.end - support.first);
  }
}

void AxisWeights::MakeFromTable(const AxisPlan& plan) {
  const AxisRequest& r = made_;
  const FilterTable table = HostFilterTables().Of(plan.filter);
  Allocate(r.count, std::min(plan.taps, r.in));
  for (int64_t i = 0; i < r.count; ++i) {
    const float start = static_cast<float>(r.begin + i) * plan.scale + plan.base;
    const float first = std::ceil(start), ahead = first - start;
    const int64_t left = static_cast<int64_t>(first), low = Clamp(left, 0, r.in - 1);
    float* const weights = weights_.data() + i * taps_;
    float total = 0.0f;
    for (int64_t k = 0; k < plan.taps; ++k) {
      const float raw = table.At((ahead + static_cast<float>(k)) * plan.factor);
      total += raw;
      // A tap beyond the edge counts for the pixel at the edge.
      weights[Clamp(left + k, 0, r.in - 1) - low] += raw;
    }
    if (total == 0.0f) total = 1.0f;
    first_[i] = static_cast<int32_t>(low);
    count_[i] = static_cast<int32_t>(Clamp(left + plan.taps - 1, 0, r.in - 1) - low + 1);
    for (int64_t k = 0; k < count_[i]; ++k) weights[k] /= total;
  }
}

void AxisWeights::Summarize() {
  const int64_t count = size();
  begin_ = end_ = 0;
  selects_ = is_contiguous_ = true;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t first = first_[i], end = first + count_[i];
    begin_ = i == 0 ? first : std::min(begin_, first);
    end_ = i == 0 ? end : std::max(end_, end);
    selects_ = selects_ && count_[i] == 1 && weights(i)[0] == 1.0f;
    is_contiguous_ = is_contiguous_ && first == first_[0] + i;
  }
  is_contiguous_ = is_contiguous_ && selects_;
}

}  // namespace jaxdali
