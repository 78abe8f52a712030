// Decodes PNG and WebP files for Python; what the modules of workers and of calls share.
#ifndef JAXDALI_BINDINGS_IMAGE_DECODING_H_
#define JAXDALI_BINDINGS_IMAGE_DECODING_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "png/png_image.h"
#include "webp/webp_image.h"

namespace jaxdali::python {

using FileBytes = nanobind::ndarray<const uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// How files are read.
struct ImageReading {
  int64_t max_pixels;
  bool indices;  // see PngImage::Open
};

// An image that native code decodes. Refers to the file's bytes; needs no GIL.
class NativeImage {
 public:
  // Returns nullopt if Pillow should see the file, also if there is not enough memory.
  static std::optional<NativeImage> Open(const uint8_t* file, size_t size, const ImageReading& reading);

  uint32_t height() const { return height_; }
  uint32_t width() const { return width_; }
  uint32_t channels() const { return channels_; }
  size_t level_bytes() const { return level_bytes_; }  // 1 or 2
  size_t size_bytes() const { return size_t{height_} * width_ * channels_ * level_bytes_; }

  // Writes the pixels, size_bytes(), in the machine's byte order. Returns false if Pillow should see the file; then any
  // of these bytes may have been written.
  bool Write(uint8_t* out);

 private:
  template <typename Image>
  NativeImage(Image image, size_t level_bytes)
      : height_(image.height()),
        width_(image.width()),
        channels_(image.channels()),
        level_bytes_(level_bytes),
        image_(std::move(image)) {}

  uint32_t height_, width_, channels_;
  size_t level_bytes_;
  std::variant<png::PngImage, webp::WebpImage> image_;
};

// Binds decode_image and decode_images.
void BindImageDecoding(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_IMAGE_DECODING_H_
