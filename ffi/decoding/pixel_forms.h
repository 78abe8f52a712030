// Converts the pixels of files to another form: other channels or another depth.
#ifndef JAXDALI_DECODING_PIXEL_FORMS_H_
#define JAXDALI_DECODING_PIXEL_FORMS_H_

#include <cstdint>

#include "rows/pixel_form.h"
#include "rows/rows.h"
#include "rows/windows.h"

namespace jaxdali::cpu {

// Pixels as they are stored: gray, gray and alpha, RGB, or RGB and alpha. Rows are `stride` bytes apart.
struct FilePixels {
  const uint8_t* data;
  int64_t stride;
  int64_t channels;
  ElementType type;  // uint8 or uint16

  int64_t PixelBytes() const { return channels * ElementBytes(type); }

  // Returns the pixels of a raw row that passed CheckRaw.
  static FilePixels OfRaw(const Row& row, const uint8_t* bytes) {
    const bool is_deep = row.codec == static_cast<int32_t>(Codec::kRaw16);
    const ElementType type = is_deep ? ElementType::kUint16 : ElementType::kUint8;
    return {bytes, row.width * row.components * ElementBytes(type), row.components, type};
  }
};

// Returns whether pixels have a form already.
bool HaveForm(const FilePixels& pixels, const PixelForm& form);

// Writes a window of pixels densely in a given form. Drops alpha unless it is requested; gray is the luma of RGB. An
// 8-bit level times 257 is the 16-bit level; conversion back rounds to the nearest level.
void FormPixels(const FilePixels& pixels, const Window& window, const PixelForm& form, uint8_t* target);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_PIXEL_FORMS_H_
