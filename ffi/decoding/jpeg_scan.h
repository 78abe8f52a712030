// Tells whether a JPEG file is of the plain kind that every decoder decodes to the same pixels.
#ifndef JAXDALI_DECODING_JPEG_SCAN_H_
#define JAXDALI_DECODING_JPEG_SCAN_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali {

// Returns whether a file is plain; nvJPEG is given no others. Plain is: baseline Huffman (SOF0) with 8 bits; gray or
// YCbCr; one scan of all components; chroma 4:4:4, 4:2:2, 4:2:0 or 4:4:0 (at least 16 pixels wide and high if it is
// subsampled: decoders interpolate smaller images differently); the height in the frame; restart markers in order; and
// an end marker right after the scan's data. Checks every marker up to the end marker, so a decoder never sees a file
// that ends early. The answer depends on the file alone.
bool IsPlainJpeg(const uint8_t* data, size_t size) noexcept;

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_JPEG_SCAN_H_
