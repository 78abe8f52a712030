#include "calls/paste/cpu_handler.h"

#include <cstdint>
#include <exception>

#include "calls/paste/cpu_pasting.h"
#include "handling/cpu_parts.h"
#include "handling/huge_pages.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Ids = ffi::BufferR2<ffi::S32>;
using Pairs = ffi::BufferR3<ffi::S32>;
using Counts = ffi::BufferR1<ffi::S32>;
using Images = ffi::AnyBuffer;

bool ArePairsOf(Pairs pairs, int64_t canvases, int64_t regions) {
  const auto shape = pairs.dimensions();
  return shape[0] == canvases && shape[1] == regions && shape[2] == 2;
}

ffi::Error PastedUnguarded(ffi::ThreadPool& pool, Ids ids, Pairs starts, Pairs extents, Pairs places, Counts counts,
                           ffi::RemainingArgs sources, ffi::Result<Images> result) {
  const auto canvas = result->dimensions();
  Pasting call = {};
  call.canvases = ids.dimensions()[0];
  call.regions = ids.dimensions()[1];
  if (canvas.size() != 4 || canvas[0] != call.canvases || counts.dimensions()[0] != call.canvases ||
      !ArePairsOf(starts, call.canvases, call.regions) || !ArePairsOf(extents, call.canvases, call.regions) ||
      !ArePairsOf(places, call.canvases, call.regions)) {
    return Wrong(
        kPasteTarget,
        "shapes are not ids [M, K], starts, extents and places [M, K, 2], counts [M] and canvases [M, H, W, C]");
  }
  const int64_t count = static_cast<int64_t>(sources.size());
  if (count != 1 && count != call.regions)
    return Wrong(kPasteTarget, "there is not one source, or one for each region");
  for (int64_t k = 0; k < count; ++k) {
    const auto source = sources.get<Images>(k);
    if (!source.has_value()) return Wrong(kPasteTarget, "a source is not an array");
    const auto shape = source->dimensions();
    if (shape.size() != 4 || shape[3] != canvas[3] || source->element_type() != result->element_type()) {
      return Wrong(kPasteTarget, "a source is not [N, h, w, C], of the type of the canvases");
    }
    const bool is_empty = source->element_count() == 0;
    call.sources.push_back(
        {static_cast<const uint8_t*>(source->untyped_data()), is_empty ? 0 : shape[0], shape[1], shape[2]});
  }
  call.pixel_bytes = canvas[3] * static_cast<int64_t>(ffi::ByteWidth(result->element_type()));
  if (result->element_count() == 0) return ffi::Error::Success();
  if (call.pixel_bytes == 0) return Wrong(kPasteTarget, "elements have no whole bytes");
  call.height = canvas[1];
  call.width = canvas[2];
  call.ids = ids.typed_data();
  call.starts = starts.typed_data();
  call.extents = extents.typed_data();
  call.places = places.typed_data();
  call.counts = counts.typed_data();
  call.result = static_cast<uint8_t*>(result->untyped_data());
  PreferHugePages(call.result, static_cast<int64_t>(result->size_bytes()));
  return RunParts(pool, PastingParts(call), [&call](int64_t part) noexcept {
    Paste(call, part);
    return true;
  });
}

ffi::Error Pasted(ffi::ThreadPool pool, Ids ids, Pairs starts, Pairs extents, Pairs places, Counts counts,
                  ffi::RemainingArgs sources, ffi::Result<Images> result) noexcept {
  try {
    return PastedUnguarded(pool, ids, starts, extents, places, counts, sources, result);
  } catch (const std::exception& error) {
    return ffi::Error::Internal(error.what());
  }
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(PasteHandler, Pasted,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<Ids>()       // int32[M, K]
                                  .Arg<Pairs>()     // starts int32[M, K, 2]
                                  .Arg<Pairs>()     // extents int32[M, K, 2]
                                  .Arg<Pairs>()     // places int32[M, K, 2]
                                  .Arg<Counts>()    // int32[M]
                                  .RemainingArgs()  // one source, or K of them: [N, h, w, C]
                                  .Ret<Images>());  // [M, H, W, C]

}  // namespace jaxdali::cpu
