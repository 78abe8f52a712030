// Parts of images, as the operand `windows` gives them.
#ifndef JAXDALI_ROWS_WINDOWS_H_
#define JAXDALI_ROWS_WINDOWS_H_

#include <cstdint>

#include "base/host_device.h"

namespace jaxdali {

// Columns of the operand: a part of the image as it is shown, in pixels.
enum WindowField : int { kTop = 0, kLeft = 1, kWindowHeight = 2, kWindowWidth = 3, kWindowFields = 4 };

// A part of an image in pixels, shown or stored; in 64 bits, so that sums of its numbers fit.
struct Window {
  int64_t top;
  int64_t left;
  int64_t height;
  int64_t width;
};

JAXDALI_HOST_DEVICE inline Window LoadWindow(const int32_t* fields) {
  return {fields[kTop], fields[kLeft], fields[kWindowHeight], fields[kWindowWidth]};
}

// Whether the window is a part of an image of these extents, and not empty.
JAXDALI_HOST_DEVICE inline bool LiesWithin(const Window& window, int64_t height, int64_t width) {
  return window.height >= 1 && window.width >= 1 && window.top >= 0 && window.left >= 0 &&
         window.top + window.height <= height && window.left + window.width <= width;
}

}  // namespace jaxdali

#endif  // JAXDALI_ROWS_WINDOWS_H_
