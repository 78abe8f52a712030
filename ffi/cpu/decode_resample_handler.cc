#include "cpu/decode_resample_handler.h"

#include <exception>
#include <new>
#include <string>

#include "common/row_failures.h"
#include "common/rows.h"
#include "cpu/decode_resample_row.h"
#include "cpu/huge_pages.h"
#include "cpu/shared_work.h"

namespace jaxdali::cpu {
namespace {

namespace ffi = xla::ffi;

using Bytes = ffi::BufferR2<ffi::U8>;
using Rows = ffi::BufferR2<ffi::S32>;
using Windows = ffi::BufferR2<ffi::S32>;
using Flips = ffi::BufferR1<ffi::PRED>;
using Statuses = ffi::ResultBufferR1<ffi::S32>;
// The table and the images it makes have one of several types; only its width matters here.
using Table = ffi::AnyBuffer;
using Images = ffi::Result<ffi::AnyBuffer>;

constexpr int64_t kLevels = 256;

ffi::Error InvalidArgument(const std::string& text) {
  return ffi::Error::InvalidArgument(std::string(kDecodeResampleTarget) + ": " + text);
}

std::string Shape(ffi::AnyBuffer::Dimensions dimensions) {
  std::string text;
  for (const int64_t extent : dimensions) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

ffi::Error CheckTable(const DecodeResampleAttributes& attributes, Table table, Images images, int64_t count) {
  const int64_t width = ffi::ByteWidth(images->element_type());
  if (table.element_type() != images->element_type() || (width != 1 && width != 2 && width != 4)) {
    return InvalidArgument("the table and the images must have one dtype, of 1, 2 or 4 bytes");
  }
  const auto extents = table.dimensions();
  if (extents.size() != 3 || (extents[0] != 1 && extents[0] != count) || extents[1] != kChannels ||
      extents[2] != kLevels) {
    return InvalidArgument("the table is " + Shape(extents) + "; expected [1, 3, 256] or [" + std::to_string(count) +
                           ", 3, 256]");
  }
  const auto shape = images->dimensions();
  if (shape.size() != 4 || shape[0] != count || shape[attributes.channels_first ? 1 : 3] != kChannels) {
    return InvalidArgument("the images are " + Shape(shape) + "; expected " + std::to_string(count) +
                           " images of 3 channels");
  }
  return ffi::Error::Success();
}

ffi::Error CheckOperands(const DecodeResampleAttributes& attributes, Bytes bytes, Rows rows, Windows windows,
                         Flips flips, Statuses status) {
  if (attributes.threads < 0) {
    return InvalidArgument("threads is " + std::to_string(attributes.threads) +
                           "; expected 0 (as many as XLA's pool has) or an upper bound");
  }
  if (bytes.dimensions()[0] != 1) {
    return InvalidArgument("bytes has " + std::to_string(bytes.dimensions()[0]) +
                           " rows; expected 1, this device's own. Set the batch's sharding, or "
                           "call under shard_map with one row a device");
  }
  if (rows.dimensions()[1] != kRowFields || windows.dimensions()[1] != kWindowFields) {
    return InvalidArgument("rows are " + Shape(rows.dimensions()) + " and windows " + Shape(windows.dimensions()) +
                           "; expected [N, 8] and [N, 4]");
  }
  const int64_t count = rows.dimensions()[0];
  if (windows.dimensions()[0] != count || flips.dimensions()[0] != count || status->dimensions()[0] != count) {
    return InvalidArgument(std::to_string(count) + " rows, but " + std::to_string(windows.dimensions()[0]) +
                           " windows, " + std::to_string(flips.dimensions()[0]) + " flips and " +
                           std::to_string(status->dimensions()[0]) + " statuses");
  }
  return ffi::Error::Success();
}

ffi::Error DecodeResampleBatch(ffi::ThreadPool pool, int32_t device, const DecodeResampleAttributes& attributes,
                               Bytes bytes, Rows rows, Windows windows, Flips flips, Table table, Images images,
                               Statuses status) {
  ffi::Error error = CheckOperands(attributes, bytes, rows, windows, flips, status);
  const int64_t count = rows.dimensions()[0];
  if (error.success()) error = CheckTable(attributes, table, images, count);
  if (error.failure()) return error;
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
  RunShared(pool, count, attributes.threads, decode_one);
  return failures.Judge(kDecodeResampleTarget, attributes.raise_on_error, count, device);
}

// Nothing may be thrown into XLA.
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

// No traits, as in decode_handler.cc: a recorded call would replay the rows of the first.
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
