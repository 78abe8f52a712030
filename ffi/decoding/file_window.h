// Reads a part of one row's image as it is shown.
#ifndef JAXDALI_DECODING_FILE_WINDOW_H_
#define JAXDALI_DECODING_FILE_WINDOW_H_

#include <cstdint>

#include "base/memory.h"
#include "rows/pixel_form.h"
#include "rows/row_checks.h"
#include "rows/windows.h"

namespace jaxdali::cpu {

// Pixels of a window, [height, width, channels], rows `stride` bytes apart.
struct FileWindow {
  const uint8_t* pixels;
  int64_t stride;
};

// Where the pixels of a window are kept, if they are not the batch's own.
struct FileMemory {
  Memory<uint8_t> stored, turned, formed;

  int64_t bytes() const { return stored.bytes() + turned.bytes() + formed.bytes(); }
};

// Finds the pixels of a window of the image as it is shown, in the form that is wanted. The row was checked by
// CheckRow, and the window by CheckWindow. Only bytes within `encoded` are read, whatever they are. What was found
// lives as long as `memory` is not used again. Throws std::bad_alloc.
RowResult ReadFileWindow(const Row& row, const EncodedBytes& encoded, const Window& window, const PixelForm& form,
                         FileMemory* memory, FileWindow* found);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_FILE_WINDOW_H_
