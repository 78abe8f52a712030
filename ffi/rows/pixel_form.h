// The form in which a call needs the pixels of files.
#ifndef JAXDALI_ROWS_PIXEL_FORM_H_
#define JAXDALI_ROWS_PIXEL_FORM_H_

#include <cstdint>

#include "base/element_types.h"
#include "rows/rows.h"

namespace jaxdali {

// kOwn: the file's own channels, followed by zeros.
enum class ImageColor : int32_t { kRgb = 0, kGray = 1, kOwn = 2 };

struct PixelForm {
  ImageColor color;
  int64_t channels;  // 3 for kRgb, 1 for kGray
  ElementType type;  // uint8 or uint16
};

inline constexpr PixelForm kRgbForm = {ImageColor::kRgb, kChannels, ElementType::kUint8};

// Returns the file's own number of channels: 1 or 3 for a JPEG, even if it is CMYK.
inline int64_t OwnChannels(const Row& row) {
  if (IsRaw(row)) return row.components;
  return row.components == 1 ? 1 : kChannels;
}

}  // namespace jaxdali

#endif  // JAXDALI_ROWS_PIXEL_FORM_H_
