// The operands of `jaxdali_decode_v1`, their checks and its failures: the same on every platform.
#ifndef JAXDALI_COMMON_DECODE_OPERANDS_H_
#define JAXDALI_COMMON_DECODE_OPERANDS_H_

#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "common/decode_attributes.h"
#include "common/rows.h"
#include "cpu/decode_row.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

namespace ffi = xla::ffi;
using cpu::RowResult;

using Bytes = ffi::BufferR2<ffi::U8>;
using Rows = ffi::BufferR2<ffi::S32>;
using Pixels = ffi::ResultBufferR4<ffi::U8>;
using Statuses = ffi::ResultBufferR1<ffi::S32>;

inline ffi::Error InvalidArgument(const std::string& text) {
  return ffi::Error::InvalidArgument(std::string(kDecodeTarget) + ": " + text);
}

// The failed row that comes first, so that the same batch fails with the same words however its
// rows were shared out.
class FirstFailure {
 public:
  void Note(int64_t row, RowResult result) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    if (row >= row_) return;
    row_ = row;
    result_ = std::move(result);
  }
  bool Exists() const { return row_ != kNone; }
  int64_t row() const { return row_; }
  const RowResult& result() const { return result_; }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  std::mutex mutex_;
  int64_t row_ = kNone;
  RowResult result_;
};

inline ffi::Error CheckOperands(const DecodeAttributes& attributes, Bytes bytes, Rows rows, Pixels pixels,
                                Statuses status) {
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

// What the call answers when all rows are done.
inline ffi::Error Judge(const DecodeAttributes& attributes, int64_t count, int32_t device, const FirstFailure& failure,
                        const FirstFailure& exhaustion) {
  // A device counts its own rows only: of a sharded batch it knows no more.
  const std::string place = " (of the " + std::to_string(count) + " rows of device " + std::to_string(device) + ")";
  if (exhaustion.Exists()) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, std::string(kDecodeTarget) + ": row " +
                                                              std::to_string(exhaustion.row()) +
                                                              ": no memory left to decode the image in" + place);
  }
  if (attributes.raise_on_error && failure.Exists()) {
    return InvalidArgument("row " + std::to_string(failure.row()) + ": " + StatusName(failure.result().status) + ": " +
                           failure.result().message + place);
  }
  return ffi::Error::Success();
}

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_DECODE_OPERANDS_H_
