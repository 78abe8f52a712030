// Decodes one JPEG file, or a window of it, to RGB or gray with libjpeg-turbo. Pixels and errors are the same as
// Pillow's.
#ifndef JAXDALI_DECODING_JPEG_DECODER_H_
#define JAXDALI_DECODING_JPEG_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "rows/rows.h"
#include "rows/windows.h"

namespace jaxdali::cpu {

struct JpegResult {
  Status status = Status::kOk;
  bool out_of_memory = false;  // the machine's fault, not the file's; if true, status is meaningless
  char message[256] = "";      // the reason if status is not kOk
};

// What the caller expects of the file. It is compared with the file's own header before any memory is allocated, so the
// caller's size checks hold.
struct JpegExpectation {
  int64_t height;
  int64_t width;
  int64_t components;
};

// Writes window.height rows of window.width pixels, `target_stride` bytes apart. They have 3 `channels` (RGB) or 1 (the
// file's own luma, or the luma of its RGB if it has none), and are exactly the pixels that decoding the whole image
// would give. The window is in stored pixels, before orientation; it must lie within the expected extents and not be
// empty. Computes only what the window's pixels need. A file whose data end early is TRUNCATED whatever the window;
// other damage below the window goes unnoticed. If the status is not kOk, some pixels may have been written.
JpegResult DecodeJpeg(const uint8_t* bytes, size_t size, const JpegExpectation& expected, const Window& window,
                      uint8_t* target, int64_t target_stride, int64_t channels = kChannels) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_JPEG_DECODER_H_
