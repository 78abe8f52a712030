// The parameters from which weights along one axis are computed, and their checks. The same on every processor.
#ifndef JAXDALI_RECIPES_AXIS_PLAN_H_
#define JAXDALI_RECIPES_AXIS_PLAN_H_

#include <cmath>
#include <cstdint>
#include <string>

#include "base/host_device.h"
#include "base/rounded.h"
#include "recipes/filters.h"
#include "recipes/recipes.h"
#include "recipes/resample_axis.h"

namespace jaxdali {

// An axis of `in` source pixels. Its part from `low` to `high` becomes `out` pixels, of which `count` are requested,
// starting with `begin`.
struct AxisRequest {
  int64_t in;
  int64_t out;
  float low;
  float high;
  Filter min_filter;
  Filter mag_filter;
  bool antialias;
  int64_t begin;
  int64_t count;

  bool operator==(const AxisRequest& other) const {
    return in == other.in && out == other.out && low == other.low && high == other.high &&
           min_filter == other.min_filter && mag_filter == other.mag_filter && antialias == other.antialias &&
           begin == other.begin && count == other.count;
  }
};

// The most weights of one request, more than any image needs: a request may ask for a whole axis at any scale.
inline constexpr int64_t kMostTaps = int64_t{1} << 25;

// What is wrong with a request.
enum class AxisFault : int32_t { kNone, kExtent, kFilters, kRegion, kUnfiltered, kTaps };

// How weights are computed: each result is one pixel unchanged, the pixel with the nearest centre, a sum with integer
// weights, or a sum with weights from a filter's table.
enum class AxisKind : int32_t { kCopied, kNearest, kTriangular, kTable };

struct AxisPlan {
  AxisRequest request;
  AxisKind kind;
  Filter filter;  // of kTable
  float scale;    // of kNearest and kTable
  float factor;   // of kTable: steps of the table from one source pixel to the next
  float base;     // of kTable
  int64_t taps;   // of a result, before those beyond an edge are added up; of kTriangular an upper bound
};

JAXDALI_HOST_DEVICE inline bool IsFilter(Filter filter) {
  switch (filter) {
    case Filter::kNone:
    case Filter::kNearest:
    case Filter::kLinear:
    case Filter::kCubic:
    case Filter::kLanczos3:
    case Filter::kTriangular:
    case Filter::kGaussian:
      return true;
  }
  return false;  // a number that came as an operand
}

// Returns the first fault that can be found before anything is computed.
JAXDALI_HOST_DEVICE inline AxisFault FirstFault(const AxisRequest& r) {
  // Below this, no product of integers along an axis overflows.
  constexpr int64_t kMostProduct = int64_t{1} << 58;
  // Positions along an axis, in pixels: integers hold them with plenty of room.
  constexpr float kFarthest = 1073741824.0f;
  if (r.out < 1) return AxisFault::kExtent;
  if (!IsFilter(r.min_filter) || !IsFilter(r.mag_filter) ||
      (r.min_filter == Filter::kNone) != (r.mag_filter == Filter::kNone)) {
    return AxisFault::kFilters;
  }
  // NaN fails each comparison.
  if (!(r.low >= -kFarthest && r.high <= kFarthest && r.low < r.high)) return AxisFault::kRegion;
  if (r.min_filter == Filter::kNone) {
    return r.in == r.out ? AxisFault::kNone : AxisFault::kUnfiltered;
  }
  const bool fits = r.in <= kMostProduct / r.out && r.in * r.in / r.out <= kMostProduct;
  return fits ? AxisFault::kNone : AxisFault::kTaps;
}

// Plans a request that has passed FirstFault. A filter of more than kMostTaps taps is reported as kMostTaps + 1.
JAXDALI_HOST_DEVICE inline AxisPlan PlanAxis(const AxisRequest& r) {
  AxisPlan plan = {r, AxisKind::kCopied, r.min_filter, 1.0f, 1.0f, 0.0f, 1};
  if (r.min_filter == Filter::kNone) return plan;
  const float out = static_cast<float>(r.out), extent = r.high - r.low;
  const bool shrinks = extent > out, is_whole = r.low == 0.0f && r.high == static_cast<float>(r.in);
  plan.filter = shrinks ? r.min_filter : r.mag_filter;
  plan.scale = Quotient(extent, out);
  if (plan.filter == Filter::kNearest) {
    plan.kind = AxisKind::kNearest;
    return plan;
  }
  // Both names mean the same filter here: the triangle that DALI calls LINEAR without antialiasing.
  if (is_whole && (plan.filter == Filter::kLinear || plan.filter == Filter::kTriangular)) {
    plan.kind = AxisKind::kTriangular;
    plan.taps = ResampleAxis<int64_t>(r.in, r.out, r.antialias).Capacity();
    return plan;
  }
  plan.kind = AxisKind::kTable;
  const float steps = static_cast<float>(FilterSteps(plan.filter));
  plan.factor = Quotient(steps, SupportOf(plan.filter, r.antialias && shrinks ? plan.scale : 1.0f));
  const float taps = ceilf(Quotient(steps, plan.factor));
  plan.taps = taps <= static_cast<float>(kMostTaps) ? static_cast<int64_t>(taps) : kMostTaps + 1;
  plan.base = Sum(r.low, Sum(Product(0.5f, plan.scale), -0.5f) - Quotient(Product(steps, 0.5f), plan.factor));
  return plan;
}

// Whether the requested results need more weights than we compute.
JAXDALI_HOST_DEVICE inline bool HasTooManyTaps(const AxisPlan& plan) {
  const AxisRequest& r = plan.request;
  const bool is_triangle = plan.kind == AxisKind::kTriangular;
  // A triangle's taps beyond the axis are added up without being computed; those of a table are computed.
  const int64_t taps = is_triangle && plan.taps > r.in ? r.in : plan.taps;
  return r.count > kMostTaps || (!is_triangle && taps > kMostTaps) || (r.count > 0 && taps > kMostTaps / r.count);
}

JAXDALI_HOST_DEVICE inline AxisFault FaultOf(const AxisRequest& request) {
  const AxisFault first = FirstFault(request);
  if (first != AxisFault::kNone) return first;
  return HasTooManyTaps(PlanAxis(request)) ? AxisFault::kTaps : AxisFault::kNone;
}

// Returns why a request fails, as a sentence; empty if there is no fault.
std::string WordsFor(AxisFault fault, const AxisRequest& request);

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_AXIS_PLAN_H_
