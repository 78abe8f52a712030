// Reads a part of one row's image as it is displayed.
#ifndef JAXDALI_DECODING_FILE_WINDOW_H_
#define JAXDALI_DECODING_FILE_WINDOW_H_

#include <cstdint>

#include "base/memory.h"
#include "rows/pixel_form.h"
#include "rows/row_checks.h"
#include "rows/windows.h"

namespace jaxdali::cpu {

// Pixels of a window, [height, width, channels], with rows `stride` bytes apart.
struct FileWindow {
  const uint8_t* pixels;
  int64_t stride;
};

// Memory for the pixels of a window that cannot be used where they are in the batch.
struct FileMemory {
  Memory<uint8_t> stored, turned, formed;

  int64_t bytes() const { return stored.bytes() + turned.bytes() + formed.bytes(); }
};

// Finds the pixels of a window of the image as it is displayed, in the requested form. CheckRow must have checked the
// row, and CheckWindow the window. Reads only bytes within `encoded`, whatever they are. The pixels found are valid
// until `memory` is used again. Throws std::bad_alloc.
RowResult ReadFileWindow(const Row& row, const EncodedBytes& encoded, const Window& window, const PixelForm& form,
                         FileMemory* memory, FileWindow* found);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_FILE_WINDOW_H_
