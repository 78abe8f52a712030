// Decodes one JPEG, or a window of it, to RGB or gray with libjpeg-turbo, with the pixels and the errors that Pillow
// gives.
#ifndef JAXDALI_DECODING_JPEG_DECODER_H_
#define JAXDALI_DECODING_JPEG_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "rows/rows.h"
#include "rows/windows.h"

namespace jaxdali::cpu {

struct JpegResult {
  Status status = Status::kOk;
  bool out_of_memory = false;  // the machine's fault, not the file's; status means nothing then
  char message[256] = "";      // why, where status is not kOk
};

// What the caller believes about the file. It is compared with the file's own header before any memory is allocated, so
// the caller's check of sizes holds.
struct JpegExpectation {
  int64_t height;
  int64_t width;
  int64_t components;
};

// Writes window.height rows of window.width pixels, `target_stride` bytes apart, of 3 `channels` (RGB) or 1 (the file's
// own luma; that of its RGB where it has none): exactly those that decoding the
// whole image would give. The window is in stored pixels, before orientation; it must lie within the expected extents
// and not be empty. Only what its pixels need is computed. A file whose data end early is TRUNCATED whatever the
// window; other damage below the window goes unseen. Where the result is not kOk, some pixels may have been written.
JpegResult DecodeJpeg(const uint8_t* bytes, size_t size, const JpegExpectation& expected, const Window& window,
                      uint8_t* target, int64_t target_stride, int64_t channels = kChannels) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_JPEG_DECODER_H_
