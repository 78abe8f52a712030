// Decodes ordinary WebP files to the pixels that Pillow gives for them.
#ifndef JAXDALI_WEBP_WEBP_IMAGE_H_
#define JAXDALI_WEBP_WEBP_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace jaxdali::webp {

// Refers to the file's bytes.
class WebpImage {
 public:
  // Returns nullopt for animations, files with more than `max_pixels`, and files whose chunks are damaged, or unusual
  // in any way that could matter to Pillow: it alone says what such a file is.
  static std::optional<WebpImage> Open(const uint8_t* file, size_t size, uint64_t max_pixels);

  uint32_t height() const { return height_; }
  uint32_t width() const { return width_; }
  uint32_t channels() const { return has_alpha_ ? 4 : 3; }
  size_t size_bytes() const { return size_t{height_} * width_ * channels(); }

  // Writes the pixels, size_bytes(). Returns false, for Pillow to say what is wrong, if the data are damaged, or if
  // there is not enough memory; then any of these bytes may have been written.
  bool Write(uint8_t* out) const;

 private:
  WebpImage() = default;

  const uint8_t* file_ = nullptr;
  size_t size_ = 0;
  uint32_t height_ = 0, width_ = 0;
  bool has_alpha_ = false;
};

}  // namespace jaxdali::webp

#endif  // JAXDALI_WEBP_WEBP_IMAGE_H_
