// The operands that every call on a batch of encoded images has, and their checks.
#ifndef JAXDALI_HANDLING_ENCODED_OPERANDS_H_
#define JAXDALI_HANDLING_ENCODED_OPERANDS_H_

#include <cstdint>
#include <string>

#include "rows/rows.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

namespace ffi = xla::ffi;

using Bytes = ffi::BufferR2<ffi::U8>;
using Rows = ffi::BufferR2<ffi::S32>;
using Statuses = ffi::ResultBufferR1<ffi::S32>;

inline ffi::Error InvalidArgument(const char* target, const std::string& text) {
  return ffi::Error::InvalidArgument(std::string(target) + ": " + text);
}

inline ffi::Error CheckEncoded(const char* target, int32_t threads, Bytes bytes, Rows rows, Statuses status) {
  if (threads < 0) {
    return InvalidArgument(
        target, "threads is " + std::to_string(threads) + "; expected 0 (as many as XLA's pool has) or an upper bound");
  }
  if (bytes.dimensions()[0] != 1) {
    return InvalidArgument(target, "bytes has " + std::to_string(bytes.dimensions()[0]) +
                                       " rows; expected 1, this device's own. Set the batch's sharding, or "
                                       "call under shard_map with one row per device");
  }
  if (rows.dimensions()[1] != kRowFields) {
    return InvalidArgument(target, "rows has " + std::to_string(rows.dimensions()[1]) + " columns; expected " +
                                       std::to_string(kRowFields));
  }
  if (status->dimensions()[0] != rows.dimensions()[0]) {
    return InvalidArgument(target, std::to_string(rows.dimensions()[0]) + " rows, but results for " +
                                       std::to_string(status->dimensions()[0]) + " statuses");
  }
  return ffi::Error::Success();
}

}  // namespace jaxdali

#endif  // JAXDALI_HANDLING_ENCODED_OPERANDS_H_
