// The orientation of an image, out of the metadata of its file.
#ifndef JAXDALI_DECODING_EXIF_H_
#define JAXDALI_DECODING_EXIF_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace jaxdali {

// The value of tag 0x0112 in the first directory of a TIFF structure (what follows "Exif\0\0" in
// APP1), whatever it is; nothing where the structure has no such tag. Damaged directories are read
// as far as Pillow reads them, so that the two agree on damaged files too.
std::optional<int64_t> ExifOrientation(const uint8_t* tiff, size_t size) noexcept;

// The digit after the first `tiff:Orientation="` or `tiff:Orientation>` of an XMP packet.
std::optional<int64_t> XmpOrientation(const uint8_t* xmp, size_t size) noexcept;

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_EXIF_H_
