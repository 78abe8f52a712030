#include "cpu/decode_handler.h"

#include <exception>
#include <new>
#include <string>

#include "common/rows.h"
#include "cpu/decode_row.h"
#include "cpu/huge_pages.h"
#include "cpu/row_failures.h"
#include "cpu/shared_work.h"

namespace jaxdali::cpu {
namespace {

namespace ffi = xla::ffi;

using Bytes = ffi::BufferR2<ffi::U8>;
using Rows = ffi::BufferR2<ffi::S32>;
using Pixels = ffi::ResultBufferR4<ffi::U8>;
using Statuses = ffi::ResultBufferR1<ffi::S32>;

ffi::Error InvalidArgument(const std::string& text) {
  return ffi::Error::InvalidArgument(std::string(kDecodeTarget) + ": " + text);
}

ffi::Error CheckOperands(const DecodeAttributes& attributes, Bytes bytes, Rows rows, Pixels pixels, Statuses status) {
  if (attributes.threads < 0) {
    return InvalidArgument("threads is " + std::to_string(attributes.threads) +
                           "; expected 0 (as many as XLA's pool has) or an upper bound");
  }
  if (bytes.dimensions()[0] != 1) {
    return InvalidArgument("bytes has " + std::to_string(bytes.dimensions()[0]) +
                           " rows; expected 1, this device's own. Set the batch's sharding, or "
                           "call under shard_map with one row a device");
  }
  if (rows.dimensions()[1] != kRowFields) {
    return InvalidArgument("rows has " + std::to_string(rows.dimensions()[1]) + " columns; expected " +
                           std::to_string(kRowFields));
  }
  const int64_t count = rows.dimensions()[0];
  if (pixels->dimensions()[0] != count || status->dimensions()[0] != count) {
    return InvalidArgument(std::to_string(count) + " rows, but results for " + std::to_string(pixels->dimensions()[0]) +
                           " images and " + std::to_string(status->dimensions()[0]) + " statuses");
  }
  if (pixels->dimensions()[3] != kChannels) {
    return InvalidArgument("the canvas has " + std::to_string(pixels->dimensions()[3]) + " channels; expected 3 (RGB)");
  }
  return ffi::Error::Success();
}

ffi::Error DecodeBatch(ffi::ThreadPool pool, int32_t device, const DecodeAttributes& attributes, Bytes bytes, Rows rows,
                       Pixels pixels, Statuses status) {
  if (ffi::Error error = CheckOperands(attributes, bytes, rows, pixels, status); error.failure()) {
    return error;
  }
  const EncodedBytes encoded = {bytes.typed_data(), bytes.dimensions()[1]};
  const int64_t count = rows.dimensions()[0];
  const int64_t height = pixels->dimensions()[1], width = pixels->dimensions()[2];
  PreferHugePages(pixels->typed_data(), count * height * width * kChannels);
  RowFailures failures;
  auto decode_one = [&](int64_t index) noexcept {
    Canvas canvas = {nullptr, height, width};
    canvas.pixels = pixels->typed_data() + index * canvas.Bytes();
    failures.Note(index, DecodeRow(rows.typed_data() + index * kRowFields, encoded, canvas),
                  status->typed_data() + index);
  };
  RunShared(pool, count, attributes.threads, decode_one);
  return failures.ToError(kDecodeTarget, attributes.raise_on_error, count, device);
}

// Nothing may be thrown into XLA.
ffi::Error Decode(ffi::ThreadPool pool, int32_t device, DecodeAttributes attributes, Bytes bytes, Rows rows,
                  Pixels pixels, Statuses status) noexcept {
  try {
    return DecodeBatch(pool, device, attributes, bytes, rows, pixels, status);
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(error.what());
  }
}

}  // namespace

// No traits: above all not command-buffer compatible. What the call reads (rows, files) changes
// from call to call; a recorded buffer would replay the first.
XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeHandler, Decode,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<DecodeAttributes>()
                                  .Arg<Bytes>()                      // bytes uint8[1, capacity]
                                  .Arg<Rows>()                       // rows int32[N, 8]
                                  .Ret<ffi::BufferR4<ffi::U8>>()     // pixels uint8[N, H, W, 3]
                                  .Ret<ffi::BufferR1<ffi::S32>>());  // status int32[N]

}  // namespace jaxdali::cpu
