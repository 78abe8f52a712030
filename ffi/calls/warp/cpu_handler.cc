#include "calls/warp/cpu_handler.h"

#include <cstdint>

#include "calls/warp/cpu_warping.h"
#include "calls/warp/operands.h"
#include "handling/cpu_parts.h"
#include "handling/huge_pages.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

ffi::Error Warped(ffi::ThreadPool pool, int32_t border, int32_t between, ffi::AnyBuffer images, WarpPlaces where,
                  WarpExtents extents, WarpExtents made, ffi::AnyBuffer fill,
                  ffi::Result<ffi::AnyBuffer> results) noexcept {
  Warping w;
  if (ffi::Error error = LoadWarping(border, between, images, where, extents, made, fill, results, &w);
      error.failure()) {
    return error;
  }
  if (w.samples == 0) return ffi::Error::Success();
  PreferHugePages(w.result, static_cast<int64_t>(results->size_bytes()));
  return RunParts(pool, WarpingParts(w), [&w](int64_t part) noexcept { return Warp(w, part); });
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(WarpHandler, Warped, BindWarp(ffi::Ffi::Bind().Ctx<ffi::ThreadPool>()));

}  // namespace jaxdali::cpu
