// The source pixels of one result along an axis, and their weights: what AxisWeights computes for all results, here for
// one result at a time, to the same bits.
#ifndef JAXDALI_CALLS_IMAGES_TILES_AXIS_TAPS_H_
#define JAXDALI_CALLS_IMAGES_TILES_AXIS_TAPS_H_

#include <cmath>
#include <cstdint>

#include "base/portable.h"
#include "recipes/axis_plan.h"

namespace jaxdali::images {

// Source pixels first, ..., first + count - 1. The other members are for WeightOf.
struct AxisTaps {
  int64_t first;
  int64_t count;
  int64_t place;  // kTriangular: the center; kTable: the pixel of the first tap, which may lie beyond an edge
  float ahead;    // kTable: the distance from the start of the filter to the first tap, in pixels
  float total;    // the sum of all weights, by which each is divided
};

namespace taps {

template <typename Integer>
JAXDALI_PORTABLE AxisTaps OfTriangle(const AxisRequest& r, int64_t i) {
  const ResampleAxis<Integer> axis(static_cast<Integer>(r.in), static_cast<Integer>(r.out), r.antialias);
  const Support<Integer> support = axis.At(static_cast<Integer>(i));
  return {support.first, support.end - support.first, support.center, 0.0f, static_cast<float>(axis.Total(support))};
}

template <typename Integer>
JAXDALI_PORTABLE float InTriangle(const AxisRequest& r, const AxisTaps& taps, int64_t k) {
  const ResampleAxis<Integer> axis(static_cast<Integer>(r.in), static_cast<Integer>(r.out), r.antialias);
  const Support<Integer> support = {static_cast<Integer>(taps.place), static_cast<Integer>(taps.first),
                                    static_cast<Integer>(taps.first + taps.count)};
  return static_cast<float>(axis.Tap(support, static_cast<Integer>(taps.first + k)));
}

// Returns tap k of a table, before edges are considered.
JAXDALI_PORTABLE float InTable(const AxisPlan& plan, const FilterTable& table, const AxisTaps& taps, int64_t k) {
  return table.At(Product(Sum(taps.ahead, static_cast<float>(k)), plan.factor));
}

JAXDALI_PORTABLE AxisTaps OfTable(const AxisPlan& plan, const FilterTables& tables, int64_t i) {
  const int64_t last = plan.request.in - 1;
  const float start = Sum(Product(static_cast<float>(i), plan.scale), plan.base), first = ceilf(start);
  const int64_t left = static_cast<int64_t>(first), low = Clamp<int64_t>(left, 0, last);
  const int64_t high = Clamp<int64_t>(left + plan.taps - 1, 0, last);
  AxisTaps taps = {low, high - low + 1, left, first - start, 0.0f};
  const FilterTable table = tables.Of(plan.filter);
  for (int64_t k = 0; k < plan.taps; ++k) taps.total = Sum(taps.total, InTable(plan, table, taps, k));
  if (taps.total == 0.0f) taps.total = 1.0f;
  return taps;
}

// Returns the sum of the taps that fall on source pixel first + k. Taps beyond an edge count for the pixel at the edge.
JAXDALI_PORTABLE float MergedInTable(const AxisPlan& plan, const FilterTables& tables, const AxisTaps& taps,
                                     int64_t k) {
  const FilterTable table = tables.Of(plan.filter);
  const int64_t pixel = taps.first + k, last = plan.request.in - 1;
  const int64_t begin = pixel == 0 ? 0 : Most<int64_t>(pixel - taps.place, 0);
  const int64_t end = pixel == last ? plan.taps : pixel - taps.place + 1;
  float sum = 0.0f;
  for (int64_t tap = begin; tap < Least(end, plan.taps); ++tap) sum = Sum(sum, InTable(plan, table, taps, tap));
  return sum;
}

}  // namespace taps

// Returns the taps of requested result i.
JAXDALI_PORTABLE AxisTaps TapsOf(const AxisPlan& plan, const FilterTables& tables, int64_t i) {
  const AxisRequest& r = plan.request;
  const int64_t at = r.begin + i;
  switch (plan.kind) {
    case AxisKind::kNearest: {
      const float source = floorf(Sum(Product(static_cast<float>(at) + 0.5f, plan.scale), r.low));
      return {Clamp<int64_t>(static_cast<int64_t>(source), 0, r.in - 1), 1, 0, 0.0f, 1.0f};
    }
    case AxisKind::kTriangular:
      return ResampleAxis<int64_t>::IsSmall(r.in, r.out) ? taps::OfTriangle<int32_t>(r, at)
                                                         : taps::OfTriangle<int64_t>(r, at);
    case AxisKind::kTable:
      return taps::OfTable(plan, tables, at);
    default:
      return {at, 1, 0, 0.0f, 1.0f};
  }
}

// Returns the weight of source pixel first + k.
JAXDALI_PORTABLE float WeightOf(const AxisPlan& plan, const FilterTables& tables, const AxisTaps& taps, int64_t k) {
  const AxisRequest& r = plan.request;
  switch (plan.kind) {
    case AxisKind::kTriangular: {
      const bool is_small = ResampleAxis<int64_t>::IsSmall(r.in, r.out);
      const float tap = is_small ? taps::InTriangle<int32_t>(r, taps, k) : taps::InTriangle<int64_t>(r, taps, k);
      return Quotient(tap, taps.total);
    }
    case AxisKind::kTable:
      return Quotient(taps::MergedInTable(plan, tables, taps, k), taps.total);
    default:
      return 1.0f;
  }
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_AXIS_TAPS_H_
