#include "calls/draws/operands.h"

#include <limits>
#include <string>

namespace ffi = xla::ffi;

namespace jaxdali {
namespace {

bool Fits(int64_t extent, int64_t whole) { return extent == 1 || extent == whole; }

ffi::Error Wrong(const char* target, const std::string& what) {
  return ffi::Error::InvalidArgument(std::string(target) + ": " + what);
}

Fold FoldOf(DrawWords words) {
  const auto shape = words.dimensions();
  return {words.typed_data(), shape[0], shape[1], shape[2]};
}

}  // namespace

ffi::Error LoadThreefry(bool counted, DrawKeys keys, DrawWords first, DrawWords second, DrawnWords result,
                        ThreefryCall* call) {
  const auto shape = result->dimensions();
  const int64_t own_keys = keys.dimensions()[0];
  *call = {keys.typed_data(), own_keys == 1, counted,  FoldOf(first),       FoldOf(second),
           shape[0],          shape[1],      shape[2], result->typed_data()};
  if (!Fits(own_keys, call->samples) || keys.dimensions()[1] != 2 || call->kept < 1 || call->kept > 2) {
    return Wrong(kThreefryTarget, "keys or results have another shape than uint32[1 or N, 2] and [N, M, 1 or 2]");
  }
  for (const Fold* fold : {&call->first, &call->second}) {
    if (!Fits(fold->samples, call->samples) || !Fits(fold->draws, call->draws)) {
      return Wrong(kThreefryTarget, "words have another shape than uint32[1 or N, 1 or M, k]");
    }
  }
  if (call->first.draws != 1) {
    return Wrong(kThreefryTarget, "the first words have another shape than uint32[1 or N, 1, k]");
  }
  if (counted && call->draws > std::numeric_limits<uint32_t>::max()) return Wrong(kThreefryTarget, "too many draws");
  return ffi::Error::Success();
}

ffi::Error LoadWindows(const WindowAttributes& attributes, DrawKeys keys, ImageSizes sizes, DrawKeys table,
                       DrawnWindows windows, WindowCall* call) {
  const int64_t samples = keys.dimensions()[0], columns = sizes.dimensions()[1];
  if (keys.dimensions()[1] != 2 || sizes.dimensions()[0] != samples || columns < 2 || table.dimensions()[0] != 2 ||
      table.dimensions()[1] != kRatios || windows->dimensions()[0] != samples || windows->dimensions()[1] != 4) {
    return Wrong(kWindowTarget, "shapes are not keys [N, 2], sizes [N, 2 or more], table [2, 4096], windows [N, 4]");
  }
  if (attributes.low_numerator == 0 || attributes.high_denominator == 0) {
    return Wrong(kWindowTarget, "an aspect ratio is 0 or infinite");
  }
  const WindowRange range = {attributes.area_low,        attributes.area_high,      attributes.low_numerator,
                             attributes.low_denominator, attributes.high_numerator, attributes.high_denominator,
                             attributes.attempts,        table.typed_data(),        table.typed_data() + kRatios};
  *call = {range, attributes.stream, keys.typed_data(), sizes.typed_data(), samples, columns, windows->typed_data()};
  return ffi::Error::Success();
}

}  // namespace jaxdali
