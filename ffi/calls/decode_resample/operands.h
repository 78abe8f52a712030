// The operands of `jaxdali_decode_resample_v1` and their checks, the same on every platform.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_OPERANDS_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_OPERANDS_H_

#include <cstdint>
#include <string>

#include "calls/decode_resample/attributes.h"
#include "handling/encoded_operands.h"
#include "rows/windows.h"

namespace jaxdali {

inline constexpr int64_t kLevels = 256;

using Windows = ffi::BufferR2<ffi::S32>;
using Flips = ffi::BufferR1<ffi::PRED>;
// The table and the images that it makes have one of several types; only the type's width matters here.
using Table = ffi::AnyBuffer;
using Images = ffi::Result<ffi::AnyBuffer>;

inline std::string ShapeText(ffi::AnyBuffer::Dimensions dimensions) {
  std::string text;
  for (const int64_t extent : dimensions) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

inline ffi::Error CheckTable(const DecodeResampleAttributes& attributes, Table table, Images images, int64_t count) {
  const char* const target = kDecodeResampleTarget;
  const int64_t width = ffi::ByteWidth(images->element_type());
  if (table.element_type() != images->element_type() || (width != 1 && width != 2 && width != 4)) {
    return InvalidArgument(target, "the table and the images must have one dtype, of 1, 2 or 4 bytes");
  }
  const auto extents = table.dimensions();
  if (extents.size() != 3 || (extents[0] != 1 && extents[0] != count) || extents[1] != kChannels ||
      extents[2] != kLevels) {
    return InvalidArgument(target, "the table is " + ShapeText(extents) + "; expected [1, 3, 256] or [" +
                                       std::to_string(count) + ", 3, 256]");
  }
  const auto shape = images->dimensions();
  if (shape.size() != 4 || shape[0] != count || shape[attributes.channels_first ? 1 : 3] != kChannels) {
    return InvalidArgument(
        target, "the images are " + ShapeText(shape) + "; expected " + std::to_string(count) + " images of 3 channels");
  }
  return ffi::Error::Success();
}

inline ffi::Error CheckDecodeResampleOperands(const DecodeResampleAttributes& attributes, Bytes bytes, Rows rows,
                                              Windows windows, Flips flips, Table table, Images images,
                                              Statuses status) {
  const char* const target = kDecodeResampleTarget;
  if (ffi::Error error = CheckEncoded(target, attributes.threads, bytes, rows, status); error.failure()) return error;
  const int64_t count = rows.dimensions()[0];
  if (windows.dimensions()[0] != count || windows.dimensions()[1] != kWindowFields || flips.dimensions()[0] != count) {
    return InvalidArgument(target, std::to_string(count) + " rows, windows " + ShapeText(windows.dimensions()) +
                                       " and " + std::to_string(flips.dimensions()[0]) +
                                       " flips; expected [N, 4] and N");
  }
  return CheckTable(attributes, table, images, count);
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_OPERANDS_H_
