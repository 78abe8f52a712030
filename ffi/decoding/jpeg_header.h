// Reads what a JPEG file says about itself, without a codec library, so that the answer is the same wherever the pixels
// are decoded later.
#ifndef JAXDALI_DECODING_JPEG_HEADER_H_
#define JAXDALI_DECODING_JPEG_HEADER_H_

#include <cstddef>
#include <cstdint>

#include "rows/rows.h"

namespace jaxdali {

struct JpegHeader {
  int32_t height = 0;       // as stored, before orientation
  int32_t width = 0;        //
  int32_t components = 0;   // 1, 3 or 4
  int32_t precision = 0;    // bits per component
  uint8_t sof = 0;          // which start-of-frame marker: 0xC0 baseline, 0xC2 progressive, ...
  int32_t orientation = 1;  // EXIF, 1 to 8
};

// Reads the markers up to the first scan.
//   kOk           the header is complete and describes an image that a decoder may try
//   kTruncated    the data end before the first scan
//   kCorrupt      not a JPEG file, or its markers make no sense
//   kUnsupported  lossless, hierarchical, not 8 bits, not 1, 3 or 4 components, height given later
// Whatever it returns, `header` holds what was read so far. Reads nothing outside [data, data + size) and allocates
// nothing. Looks for the orientation where Pillow does: tag 0x0112 of the EXIF block's first directory, else
// `tiff:Orientation` of the XMP block.
Status ParseJpegHeader(const uint8_t* data, size_t size, JpegHeader* header) noexcept;

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_JPEG_HEADER_H_
