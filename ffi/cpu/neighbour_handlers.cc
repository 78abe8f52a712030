#include "cpu/neighbour_handlers.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include "cpu/blobs.h"
#include "cpu/correlation.h"
#include "cpu/handler_parts.h"
#include "cpu/huge_pages.h"

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

using Labels = ffi::Buffer<ffi::S32>;
using Flags = ffi::Buffer<ffi::PRED>;
using Numbers = ffi::Result<ffi::Buffer<ffi::S32>>;

// The pixels of one mask; -1 where they could not be numbered.
int64_t PixelsOf(ffi::Span<const int64_t> shape) {
  int64_t pixels = 1;
  for (size_t axis = 1; axis < shape.size(); ++axis) {
    if (shape[axis] > 0 && pixels > std::numeric_limits<int32_t>::max() / shape[axis]) return -1;
    pixels *= shape[axis];
  }
  return pixels;
}

bool Equal(ffi::Span<const int64_t> one, ffi::Span<const int64_t> other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

ffi::Error FoundBlobs(ffi::ThreadPool pool, Labels labels, Flags held, Numbers found) noexcept {
  const auto shape = labels.dimensions();
  const int64_t pixels = shape.size() < 2 ? -1 : PixelsOf(shape);
  if (pixels < 0 || !Equal(shape, held.dimensions()) || !Equal(shape, found->dimensions())) {
    return Wrong(kBlobsTarget, "labels, held and the result are not of one shape [N, ...], of less than 2**31 pixels");
  }
  return RunParts(pool, shape[0], [&, pixels](int64_t sample) noexcept {
    try {
      FindBlobs({shape.begin() + 1, shape.end()}, labels.typed_data() + sample * pixels,
                held.typed_data() + sample * pixels, found->typed_data() + sample * pixels);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  });
}

ffi::Error MeasuredBlobs(ffi::ThreadPool pool, Labels found, Numbers extents) noexcept {
  const auto shape = found.dimensions(), measured = extents->dimensions();
  const int64_t pixels = shape.size() < 2 ? -1 : PixelsOf(shape), axes = static_cast<int64_t>(shape.size()) - 1;
  if (pixels < 0 || measured.size() != shape.size() + 1 || measured.back() != axes ||
      !std::equal(shape.begin(), shape.end(), measured.begin())) {
    return Wrong(kBlobExtentsTarget,
                 "shapes are not blobs [N, ...], of less than 2**31 pixels, and extents [N, ..., axes]");
  }
  return RunParts(pool, shape[0], [&, pixels, axes](int64_t sample) noexcept {
    try {
      return MeasureBlobs({shape.begin() + 1, shape.end()}, found.typed_data() + sample * pixels,
                          extents->typed_data() + sample * pixels * axes);
    } catch (const std::bad_alloc&) {
      return false;
    }
  });
}

ffi::Error KeptBlobs(ffi::ThreadPool pool, int32_t most, Labels found, Flags roots,
                     ffi::Result<ffi::Buffer<ffi::PRED>> kept) noexcept {
  const auto shape = found.dimensions();
  const int64_t pixels = shape.size() < 2 ? -1 : PixelsOf(shape);
  if (pixels < 0 || most < 1 || !Equal(shape, roots.dimensions()) || !Equal(shape, kept->dimensions())) {
    return Wrong(kLargestBlobsTarget,
                 "found, roots and the result are not of one shape [N, ...], of less than 2**31 pixels, or most is not "
                 "above 0");
  }
  return RunParts(pool, shape[0], [&, pixels, most](int64_t sample) noexcept {
    try {
      return KeepLargestBlobs({shape.begin() + 1, shape.end()}, found.typed_data() + sample * pixels,
                              roots.typed_data() + sample * pixels, most, kept->typed_data() + sample * pixels);
    } catch (const std::bad_alloc&) {
      return false;
    }
  });
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
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    BlobsHandler, FoundBlobs,
    ffi::Ffi::Bind().Ctx<ffi::ThreadPool>().Arg<Labels>().Arg<Flags>().Ret<ffi::Buffer<ffi::S32>>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(BlobExtentsHandler, MeasuredBlobs,
                              ffi::Ffi::Bind().Ctx<ffi::ThreadPool>().Arg<Labels>().Ret<ffi::Buffer<ffi::S32>>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(LargestBlobsHandler, KeptBlobs,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Attr<int32_t>("most")
                                  .Arg<Labels>()
                                  .Arg<Flags>()
                                  .Ret<ffi::Buffer<ffi::PRED>>());

}  // namespace jaxdali::cpu
