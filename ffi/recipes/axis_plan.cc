#include "recipes/axis_plan.h"

namespace jaxdali {

std::string WordsFor(AxisFault fault, const AxisRequest& request) {
  const std::string in = std::to_string(request.in), out = std::to_string(request.out);
  switch (fault) {
    case AxisFault::kNone:
      return "";
    case AxisFault::kExtent:
      return "the extent to resize to is " + out + "; expected 1 or more";
    case AxisFault::kFilters:
      return "the filters are " + std::to_string(static_cast<int32_t>(request.min_filter)) + " and " +
             std::to_string(static_cast<int32_t>(request.mag_filter)) + "; expected 1 to 6, or 0 for both";
    case AxisFault::kRegion:
      return "the region is from " + std::to_string(request.low) + " to " + std::to_string(request.high) +
             "; expected lo < hi, both within +-2**30";
    case AxisFault::kUnfiltered:
      return "without a filter, " + in + " pixels cannot become " + out;
    case AxisFault::kTaps:
      break;
  }
  return "resizing " + in + " pixels to " + out + " needs more than " + std::to_string(kMostTaps) +
         " weights for the " + std::to_string(request.count) + " pixels of the result; resize in two steps";
}

}  // namespace jaxdali
