// Finds an image's orientation in the metadata of its file.
#ifndef JAXDALI_DECODING_EXIF_H_
#define JAXDALI_DECODING_EXIF_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace jaxdali {

// Returns the value of tag 0x0112, whatever it is, in the first directory of a TIFF structure (what follows "Exif\0\0"
// in APP1); nullopt if there is no such tag. Reads damaged directories as far as Pillow does, so that the two agree on
// damaged files, too.
std::optional<int64_t> ExifOrientation(const uint8_t* tiff, size_t size) noexcept;

// Returns the digit after the first `tiff:Orientation="` or `tiff:Orientation>` of an XMP packet.
std::optional<int64_t> XmpOrientation(const uint8_t* xmp, size_t size) noexcept;

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_EXIF_H_
