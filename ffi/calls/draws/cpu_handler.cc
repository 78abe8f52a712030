#include "calls/draws/cpu_handler.h"

#include <cstdint>

#include "calls/draws/operands.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

ffi::Error Threefry(bool counted, DrawKeys keys, DrawWords first, DrawWords second, DrawnWords result) noexcept {
  ThreefryCall call = {};
  if (ffi::Error error = LoadThreefry(counted, keys, first, second, result, &call); error.failure()) return error;
  for (int64_t sample = 0; sample < call.samples; ++sample) {
    const Key key = call.OfSample(sample);
    for (int64_t draw = 0; draw < call.draws; ++draw) call.Draw(key, sample, draw);
  }
  return ffi::Error::Success();
}

ffi::Error Windows(WindowAttributes attributes, DrawKeys keys, ImageSizes sizes, DrawKeys table,
                   DrawnWindows windows) noexcept {
  WindowCall call = {};
  if (ffi::Error error = LoadWindows(attributes, keys, sizes, table, windows, &call); error.failure()) return error;
  for (int64_t sample = 0; sample < call.samples; ++sample) call.Draw(sample);
  return ffi::Error::Success();
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(ThreefryHandler, Threefry, BindThreefry(ffi::Ffi::Bind()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(WindowHandler, Windows, BindWindows(ffi::Ffi::Bind()));

}  // namespace jaxdali::cpu
