#include "calls/decode_resample/cpu_handler.h"

#include <exception>
#include <new>

#include "base/shared_work.h"
#include "calls/decode_resample/operands.h"
#include "calls/decode_resample/row.h"
#include "handling/huge_pages.h"
#include "handling/row_failures.h"

namespace jaxdali::cpu {
namespace {

ffi::Error DecodeResampleBatch(ffi::ThreadPool pool, int32_t device, const DecodeResampleAttributes& attributes,
                               Bytes bytes, Rows rows, Windows windows, Flips flips, Table table, Images images,
                               Statuses status) {
  if (ffi::Error error = CheckDecodeResampleOperands(attributes, bytes, rows, windows, flips, table, images, status);
      error.failure()) {
    return error;
  }
  const int64_t count = rows.dimensions()[0];
  const EncodedBytes encoded = {bytes.typed_data(), bytes.dimensions()[1]};
  const auto shape = images->dimensions();
  const int64_t height = shape[attributes.channels_first ? 2 : 1], width = shape[attributes.channels_first ? 3 : 2];
  const int element_size = static_cast<int>(ffi::ByteWidth(images->element_type()));
  const int64_t table_step = table.dimensions()[0] == 1 ? 0 : kChannels * kLevels * element_size;
  PreferHugePages(images->untyped_data(), static_cast<int64_t>(images->size_bytes()));
  RowFailures failures;
  auto decode_one = [&](int64_t index) noexcept {
    ResampleTarget target = {nullptr, height, width, element_size, attributes.channels_first};
    target.data = static_cast<uint8_t*>(images->untyped_data()) + index * target.Bytes();
    failures.Note(index,
                  DecodeResampleRow(rows.typed_data() + index * kRowFields, encoded,
                                    windows.typed_data() + index * kWindowFields, flips.typed_data()[index],
                                    static_cast<const uint8_t*>(table.untyped_data()) + index * table_step, target),
                  status->typed_data() + index);
  };
  RunShared(pool, count, attributes.threads, decode_one, {attributes.affinity.begin(), attributes.affinity.size()});
  return failures.Judge(kDecodeResampleTarget, attributes.raise_on_error, count, device);
}

// No exception may reach XLA.
ffi::Error DecodeResample(ffi::ThreadPool pool, int32_t device, DecodeResampleAttributes attributes, Bytes bytes,
                          Rows rows, Windows windows, Flips flips, Table table, Images images,
                          Statuses status) noexcept {
  try {
    return DecodeResampleBatch(pool, device, attributes, bytes, rows, windows, flips, table, images, status);
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(error.what());
  }
}

}  // namespace

// No traits, as in calls/decode/cpu_handler.cc: a recorded call would replay the rows of the first call.
XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeResampleHandler, DecodeResample,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<DecodeResampleAttributes>()
                                  .Arg<Bytes>()                      // bytes uint8[1, capacity]
                                  .Arg<Rows>()                       // rows int32[N, 8]
                                  .Arg<Windows>()                    // windows int32[N, 4]: top, left, height, width
                                  .Arg<Flips>()                      // flips bool[N]
                                  .Arg<Table>()                      // table T[1 or N, 3, 256]
                                  .Ret<ffi::AnyBuffer>()             // images T[N, h, w, 3] or T[N, 3, h, w]
                                  .Ret<ffi::BufferR1<ffi::S32>>());  // status int32[N]

}  // namespace jaxdali::cpu
