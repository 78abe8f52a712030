#include "calls/jpeg_distortion/cpu_handler.h"

#include <cstdint>

#include "calls/jpeg_distortion/cpu_distortion.h"
#include "handling/cpu_parts.h"
#include "handling/huge_pages.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Pixels = ffi::BufferR4<ffi::U8>;
using Extents = ffi::BufferR2<ffi::S32>;
using Tables = ffi::BufferR4<ffi::S32>;

ffi::Error Distorted(ffi::ThreadPool pool, Pixels images, Tables tables, Extents extents,
                     ffi::Result<Pixels> result) noexcept {
  const auto shape = images.dimensions(), table = tables.dimensions(), made = result->dimensions();
  const int64_t samples = shape[0];
  const auto is_per_sample = [samples](int64_t rows) { return rows == 1 || rows == samples; };
  if (shape[3] != 3 || made[0] != samples || made[1] != shape[1] || made[2] != shape[2] || made[3] != 3 ||
      !is_per_sample(table[0]) || table[1] != 2 || table[2] != 8 || table[3] != 8 ||
      !is_per_sample(extents.dimensions()[0]) || extents.dimensions()[1] != 2) {
    return Wrong(kDistortTarget,
                 "shapes are not images and results [N, H, W, 3], tables [N or 1, 2, 8, 8] and extents [N or 1, 2]");
  }
  if (images.element_count() == 0) return ffi::Error::Success();
  const Distortion call = {images.typed_data(),
                           shape[1],
                           shape[2],
                           {tables.typed_data(), table[0], 2 * 64},
                           {extents.typed_data(), extents.dimensions()[0], 2},
                           result->typed_data()};
  PreferHugePages(call.result, static_cast<int64_t>(result->size_bytes()));
  return RunParts(pool, samples, [&call](int64_t sample) noexcept { return Distort(call, sample); });
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(DistortHandler, Distorted,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<Pixels>()   // uint8[N, H, W, 3]
                                  .Arg<Tables>()   // int32[N or 1, 2, 8, 8]
                                  .Arg<Extents>()  // extents int32[N or 1, 2]
                                  .Ret<Pixels>());

}  // namespace jaxdali::cpu
