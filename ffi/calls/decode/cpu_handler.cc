#include "calls/decode/cpu_handler.h"

#include <exception>
#include <new>
#include <string>

#include "base/shared_work.h"
#include "calls/decode/operands.h"
#include "decoding/decode_row.h"
#include "handling/huge_pages.h"
#include "handling/row_failures.h"
#include "rows/rows.h"

namespace jaxdali::cpu {
namespace {

ffi::Error DecodeBatch(ffi::ThreadPool pool, int32_t device, const DecodeAttributes& attributes, Bytes bytes, Rows rows,
                       Pixels pixels, Statuses status) {
  if (ffi::Error error = CheckDecodeOperands(attributes, bytes, rows, pixels, status); error.failure()) {
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
  RunShared(pool, count, attributes.threads, decode_one, {attributes.affinity.begin(), attributes.affinity.size()});
  return failures.Judge(kDecodeTarget, attributes.raise_on_error, count, device);
}

// No exception may reach XLA.
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

// No traits; in particular, the call is not command-buffer compatible. What it reads (rows, files) changes from call to
// call, and a recorded buffer would replay the first call.
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
