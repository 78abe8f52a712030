// The operands of `jaxdali_decode_v1`, their checks and its failures: the same on every platform.
#ifndef JAXDALI_COMMON_DECODE_OPERANDS_H_
#define JAXDALI_COMMON_DECODE_OPERANDS_H_

#include <cstdint>
#include <string>

#include "common/decode_attributes.h"
#include "common/row_failures.h"
#include "common/rows.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

namespace ffi = xla::ffi;

using Bytes = ffi::BufferR2<ffi::U8>;
using Rows = ffi::BufferR2<ffi::S32>;
using Pixels = ffi::ResultBufferR4<ffi::U8>;
using Statuses = ffi::ResultBufferR1<ffi::S32>;

inline ffi::Error InvalidArgument(const std::string& text) {
  return ffi::Error::InvalidArgument(std::string(kDecodeTarget) + ": " + text);
}

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
  return JudgeRows(kDecodeTarget, attributes.raise_on_error, count, device, failure, exhaustion);
}

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_DECODE_OPERANDS_H_
