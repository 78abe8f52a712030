// The chunks of an ordinary PNG file.
#ifndef JAXDALI_PNG_PNG_FILE_H_
#define JAXDALI_PNG_PNG_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jaxdali::png {

struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;
};

enum class ColorType : uint8_t { kGray = 0, kRgb = 2, kPalette = 3, kGrayAlpha = 4, kRgba = 6 };

// All of it refers to the file's bytes.
struct PngFile {
  uint32_t width = 0;
  uint32_t height = 0;
  uint8_t depth = 0;  // bits a channel
  ColorType color_type = ColorType::kGray;
  bool interlaced = false;
  Bytes palette;              // three bytes a color
  Bytes profile;              // a compressed color profile
  std::vector<Bytes> pixels;  // compressed, in parts

  uint32_t channels() const;
  uint32_t pixel_bits() const { return channels() * depth; }
};

// Returns nullopt for a file that is damaged, or unusual in any way that could matter to Pillow: it alone says what
// such a file is.
std::optional<PngFile> ReadChunks(Bytes file);

}  // namespace jaxdali::png

#endif  // JAXDALI_PNG_PNG_FILE_H_
