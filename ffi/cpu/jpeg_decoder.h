// Decodes one JPEG to RGB with libjpeg-turbo, giving the pixels and the errors that Pillow gives.
#ifndef JAXDALI_CPU_JPEG_DECODER_H_
#define JAXDALI_CPU_JPEG_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "common/rows.h"

namespace jaxdali::cpu {

struct JpegResult {
  Status status = Status::kOk;
  bool out_of_memory = false;  // the machine's fault, not the file's; status means nothing then
  char message[256] = "";      // why, where status is not kOk
};

// What the caller believes about the file. It is compared with the file's own header before any
// memory is taken, so the caller's check of sizes holds.
struct JpegExpectation {
  int64_t height;
  int64_t width;
  int64_t components;
};

// Writes expected.height rows of expected.width RGB pixels, `target_stride` bytes apart. Where the
// result is not kOk, some of them may have been written.
JpegResult DecodeJpeg(const uint8_t* bytes, size_t size, const JpegExpectation& expected, uint8_t* target,
                      int64_t target_stride) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_JPEG_DECODER_H_
