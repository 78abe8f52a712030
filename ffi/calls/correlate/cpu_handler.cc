#include "calls/correlate/cpu_handler.h"

#include <cstdint>
#include <optional>

#include "calls/correlate/cpu_correlation.h"
#include "handling/cpu_parts.h"
#include "handling/huge_pages.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

std::optional<CorrelatedType> TypeOf(ffi::DataType type) {
  switch (type) {
    case ffi::DataType::U8:
      return CorrelatedType::kUint8;
    case ffi::DataType::S16:
      return CorrelatedType::kInt16;
    case ffi::DataType::U16:
      return CorrelatedType::kUint16;
    case ffi::DataType::F32:
      return CorrelatedType::kFloat32;
    default:
      return std::nullopt;
  }
}

using Pixels = ffi::AnyBuffer;
using Weights = ffi::BufferR4<ffi::F32>;
using Places = ffi::BufferR2<ffi::S32>;
using Fills = ffi::BufferR1<ffi::F32>;
using SumBuffer = ffi::Buffer<ffi::F32, kAxes + 2>;
using Sums = ffi::Result<SumBuffer>;

template <typename Buffer>
bool IsPerSample(Buffer buffer, int64_t samples) {
  return buffer.dimensions()[0] == 1 || buffer.dimensions()[0] == samples;
}

ffi::Error Correlated(ffi::ThreadPool pool, int32_t border, Pixels pixels, Weights weights, Places extents,
                      Places before, Fills fill, Sums sums) noexcept {
  const auto canvas = pixels.dimensions();
  const auto taps = weights.dimensions(), size = sums->dimensions();
  const std::optional<CorrelatedType> type = TypeOf(pixels.element_type());
  if (!type || canvas.size() != kAxes + 2) {
    return Wrong(kCorrelateTarget, "pixels are not uint8, int16, uint16 or float32 [N, D, H, W, C]");
  }
  const int64_t samples = canvas[0];
  if (size[0] != samples || size[kAxes + 1] != canvas[kAxes + 1] || !IsPerSample(weights, samples) ||
      !IsPerSample(extents, samples) || !IsPerSample(before, samples) || !IsPerSample(fill, samples) ||
      extents.dimensions()[1] != kAxes || before.dimensions()[1] != kAxes || weights.element_count() == 0) {
    return Wrong(kCorrelateTarget,
                 "shapes are not weights [N or 1, Q, R, S], extents and before [N or 1, 3], fill [N or 1] and sums "
                 "[N, d, h, w, C]");
  }
  if (border < 0 || border >= kBorders) return Wrong(kCorrelateTarget, "border is not 0 to 4");
  if (sums->element_count() == 0) return ffi::Error::Success();
  if (pixels.element_count() == 0) return Wrong(kCorrelateTarget, "there are sums, and no pixels");
  Correlation call = {};
  call.type = *type;
  call.pixels = pixels.untyped_data();
  call.samples = samples;
  call.channels = canvas[kAxes + 1];
  for (int axis = 0; axis < kAxes; ++axis) {
    call.canvas[axis] = canvas[1 + axis];
    call.taps[axis] = taps[1 + axis];
    call.size[axis] = size[1 + axis];
  }
  call.weights = {weights.typed_data(), taps[0], taps[1] * taps[2] * taps[3]};
  call.extents = {extents.typed_data(), extents.dimensions()[0], kAxes};
  call.before = {before.typed_data(), before.dimensions()[0], kAxes};
  call.fill = {fill.typed_data(), fill.dimensions()[0], 1};
  call.border = static_cast<Border>(border);
  call.result = sums->typed_data();
  PreferHugePages(call.result, static_cast<int64_t>(sums->size_bytes()));
  return RunParts(pool, CorrelationParts(call), [&call](int64_t part) noexcept { return Correlate(call, part); });
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(CorrelateHandler, Correlated,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Attr<int32_t>("border")
                                  .Arg<Pixels>()   // [N, D, H, W, C]
                                  .Arg<Weights>()  // float32[N or 1, Q, R, S]
                                  .Arg<Places>()   // extents int32[N or 1, 3]
                                  .Arg<Places>()   // before int32[N or 1, 3]
                                  .Arg<Fills>()    // float32[N or 1]
                                  .Ret<SumBuffer>());

}  // namespace jaxdali::cpu
