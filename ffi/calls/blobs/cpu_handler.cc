#include "calls/blobs/cpu_handler.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

#include "calls/blobs/cpu_blobs.h"
#include "handling/cpu_parts.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Labels = ffi::Buffer<ffi::S32>;
using Flags = ffi::Buffer<ffi::PRED>;
using Numbers = ffi::Result<ffi::Buffer<ffi::S32>>;

// Returns the number of pixels of one mask; -1 if an int32 cannot index them.
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
