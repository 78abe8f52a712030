#include "calls/demosaic/cpu_handler.h"

#include <cstdint>

#include "calls/demosaic/cpu_mosaics.h"
#include "handling/cpu_parts.h"
#include "handling/huge_pages.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Pairs = ffi::BufferR2<ffi::S32>;

bool ArePairs(Pairs pairs, int64_t samples) {
  const auto shape = pairs.dimensions();
  return (shape[0] == 1 || shape[0] == samples) && shape[1] == 2;
}

template <typename T>
ffi::Error Make(ffi::ThreadPool& pool, Demosaicing demosaicing, ffi::AnyBuffer pixels, Pairs extents, Pairs positions,
                ffi::Result<ffi::AnyBuffer>& result) {
  const auto shape = pixels.dimensions();
  const Mosaics<T> call = {static_cast<const T*>(pixels.untyped_data()),
                           shape[0],
                           shape[1],
                           shape[2],
                           {extents.typed_data(), extents.dimensions()[0], 2},
                           {positions.typed_data(), positions.dimensions()[0], 2},
                           demosaicing,
                           static_cast<T*>(result->untyped_data())};
  PreferHugePages(call.result, static_cast<int64_t>(result->size_bytes()));
  return RunParts(pool, MosaicParts(call), [&call](int64_t part) noexcept {
    Demosaic(call, part);
    return true;
  });
}

ffi::Error Demosaiced(ffi::ThreadPool pool, int32_t demosaicing, ffi::AnyBuffer pixels, Pairs extents, Pairs positions,
                      ffi::Result<ffi::AnyBuffer> result) noexcept {
  if (demosaicing < 0 || demosaicing >= kDemosaicings) return Wrong(kDemosaicTarget, "demosaicing is not 0 to 2");
  const auto how = static_cast<Demosaicing>(demosaicing);
  const auto shape = pixels.dimensions(), made = result->dimensions();
  const int64_t channels = how == Demosaicing::kGray ? 1 : 3;
  if (shape.size() != 3 || made.size() != 4 || made[0] != shape[0] || made[1] != shape[1] || made[2] != shape[2] ||
      made[3] != channels || !ArePairs(extents, shape[0]) || !ArePairs(positions, shape[0]) ||
      result->element_type() != pixels.element_type()) {
    return Wrong(kDemosaicTarget,
                 "shapes are not mosaics [N, H, W], extents and positions [N or 1, 2] and results [N, H, W, 3 or 1] of "
                 "the mosaics' type");
  }
  if (pixels.element_count() == 0) return ffi::Error::Success();
  if (pixels.element_type() == ffi::DataType::U8) return Make<uint8_t>(pool, how, pixels, extents, positions, result);
  if (pixels.element_type() == ffi::DataType::U16) return Make<uint16_t>(pool, how, pixels, extents, positions, result);
  return Wrong(kDemosaicTarget, "mosaics are neither uint8 nor uint16");
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(DemosaicHandler, Demosaiced,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Attr<int32_t>("demosaicing")
                                  .Arg<ffi::AnyBuffer>()  // [N, H, W]
                                  .Arg<Pairs>()           // extents int32[N or 1, 2]
                                  .Arg<Pairs>()           // positions int32[N or 1, 2]
                                  .Ret<ffi::AnyBuffer>());

}  // namespace jaxdali::cpu
