// In which form the pixels of files are wanted.
#ifndef JAXDALI_COMMON_PIXEL_FORM_H_
#define JAXDALI_COMMON_PIXEL_FORM_H_

#include <cstdint>

#include "common/element_types.h"
#include "common/rows.h"

namespace jaxdali {

// kOwn: the channels that the file has, and zeros behind them.
enum class ImageColor : int32_t { kRgb = 0, kGray = 1, kOwn = 2 };

struct PixelForm {
  ImageColor color;
  int64_t channels;  // 3 of kRgb, 1 of kGray
  ElementType type;  // uint8 or uint16
};

inline constexpr PixelForm kRgbForm = {ImageColor::kRgb, kChannels, ElementType::kUint8};

// What a file has: of a JPEG, which may be CMYK, 1 or 3.
inline int64_t OwnChannels(const Row& row) {
  if (IsRaw(row)) return row.components;
  return row.components == 1 ? 1 : kChannels;
}

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_PIXEL_FORM_H_
