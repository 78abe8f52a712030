#include "common/axis_weights.h"

#include <algorithm>
#include <cmath>

#include "common/filters.h"
#include "common/resample_axis.h"

namespace jaxdali {
namespace {

// Of one request, beyond what any image needs: a request may ask for everything of an axis at any scale.
constexpr int64_t kMostTaps = int64_t{1} << 25;
// No product of whole numbers along an axis overflows below.
constexpr int64_t kMostProduct = int64_t{1} << 58;
// Places along an axis, in pixels: whole numbers hold them with much to spare.
constexpr float kFarthest = 0x1p30f;

bool IsFilter(Filter filter) {
  return static_cast<int32_t>(filter) >= 0 && static_cast<int32_t>(filter) <= static_cast<int32_t>(Filter::kGaussian);
}

std::string TooManyTaps(const AxisRequest& request) {
  return "resizing " + std::to_string(request.in) + " pixels to " + std::to_string(request.out) + " needs more than " +
         std::to_string(kMostTaps) + " weights for the " + std::to_string(request.count) +
         " pixels of the result; resize in two steps";
}

std::string CheckRequest(const AxisRequest& request) {
  if (request.out < 1) return "the extent to resize to is " + std::to_string(request.out) + "; expected 1 or more";
  if (!IsFilter(request.min_filter) || !IsFilter(request.mag_filter) ||
      (request.min_filter == Filter::kNone) != (request.mag_filter == Filter::kNone)) {
    return "the filters are " + std::to_string(static_cast<int32_t>(request.min_filter)) + " and " +
           std::to_string(static_cast<int32_t>(request.mag_filter)) + "; expected 1 to 6, or 0 for both";
  }
  // NaN fails each comparison.
  if (!(request.low >= -kFarthest && request.high <= kFarthest && request.low < request.high)) {
    return "the region is from " + std::to_string(request.low) + " to " + std::to_string(request.high) +
           "; expected lo < hi, both within +-2**30";
  }
  if (request.min_filter == Filter::kNone) {
    if (request.in == request.out) return "";
    return "without a filter, " + std::to_string(request.in) + " pixels cannot become " + std::to_string(request.out);
  }
  if (request.in > kMostProduct / request.out || request.in * request.in / request.out > kMostProduct) {
    return TooManyTaps(request);
  }
  return "";
}

int64_t Clamp(int64_t value, int64_t low, int64_t high) { return std::min(std::max(value, low), high); }

}  // namespace

std::string AxisWeights::Make(const AxisRequest& request) {
  if (is_made_ && made_ == request) return "";
  is_made_ = false;
  if (std::string error = CheckRequest(request); !error.empty()) return error;
  made_ = request;
  if (std::string error = MakeWeights(); !error.empty()) return error;
  Summarize();
  is_made_ = true;
  return "";
}

std::string AxisWeights::MakeWeights() {
  const AxisRequest& r = made_;
  if (r.count > kMostTaps) return TooManyTaps(r);
  if (r.min_filter == Filter::kNone) {
    Allocate(r.count, 1);
    for (int64_t i = 0; i < r.count; ++i) {
      first_[i] = static_cast<int32_t>(r.begin + i);
      weights_[i] = 1.0f;
    }
    return "";
  }
  const bool shrinks = r.high - r.low > static_cast<float>(r.out);
  const bool is_whole = r.low == 0.0f && r.high == static_cast<float>(r.in);
  const Filter filter = shrinks ? r.min_filter : r.mag_filter;
  if (filter == Filter::kNearest) return MakeNearest();
  // Both names mean the same: the triangle that DALI calls LINEAR without antialiasing.
  if (is_whole && (filter == Filter::kLinear || filter == Filter::kTriangular)) return MakeTriangular(r.antialias);
  return MakeFromTable(filter, r.antialias && shrinks);
}

void AxisWeights::Allocate(int64_t count, int64_t taps) {
  first_.resize(count);
  count_.assign(count, 1);
  weights_.assign(count * taps, 0.0f);
  taps_ = taps;
}

std::string AxisWeights::MakeNearest() {
  const AxisRequest& r = made_;
  Allocate(r.count, 1);
  const float scale = (r.high - r.low) / static_cast<float>(r.out);
  for (int64_t i = 0; i < r.count; ++i) {
    const float source = std::floor((static_cast<float>(r.begin + i) + 0.5f) * scale + r.low);
    first_[i] = static_cast<int32_t>(Clamp(static_cast<int64_t>(source), 0, r.in - 1));
    weights_[i] = 1.0f;
  }
  return "";
}

std::string AxisWeights::MakeTriangular(bool antialias) {
  const AxisRequest& r = made_;
  const ResampleAxis<int64_t> axis(r.in, r.out, antialias);
  const int64_t taps = std::min(axis.Capacity(), r.in);
  if (r.count > 0 && taps > kMostTaps / r.count) return TooManyTaps(r);
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
  return "";
}

std::string AxisWeights::MakeFromTable(Filter filter, bool widens) {
  const AxisRequest& r = made_;
  const FilterTable& table = TableOf(filter);
  const float scale = (r.high - r.low) / static_cast<float>(r.out);
  const float steps = static_cast<float>(table.samples.size() - 1);
  const float factor = steps / SupportOf(filter, widens ? scale : 1.0f);
  const float taps = std::ceil(steps / factor);
  if (!(taps <= static_cast<float>(kMostTaps))) return TooManyTaps(r);
  const int64_t raw_count = static_cast<int64_t>(taps);
  if (r.count > 0 && raw_count > kMostTaps / r.count) return TooManyTaps(r);
  Allocate(r.count, std::min(raw_count, r.in));
  const float base = r.low + ((0.5f * scale - 0.5f) - (steps * 0.5f) / factor);
  for (int64_t i = 0; i < r.count; ++i) {
    const float start = static_cast<float>(r.begin + i) * scale + base;
    const float first = std::ceil(start), ahead = first - start;
    const int64_t left = static_cast<int64_t>(first), low = Clamp(left, 0, r.in - 1);
    float* const weights = weights_.data() + i * taps_;
    float total = 0.0f;
    for (int64_t k = 0; k < raw_count; ++k) {
      const float raw = table.At((ahead + static_cast<float>(k)) * factor);
      total += raw;
      // What has no place beyond the edge counts for the pixel at the edge.
      weights[Clamp(left + k, 0, r.in - 1) - low] += raw;
    }
    if (total == 0.0f) total = 1.0f;
    first_[i] = static_cast<int32_t>(low);
    count_[i] = static_cast<int32_t>(Clamp(left + raw_count - 1, 0, r.in - 1) - low + 1);
    for (int64_t k = 0; k < count_[i]; ++k) weights[k] /= total;
  }
  return "";
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
