#include "bindings/image_decoding.h"

#include <algorithm>
#include <memory>
#include <new>

#include "bindings/without_gil.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

nb::object DecodeImage(const FileBytes& file, int64_t max_pixels, bool indices) {
  std::optional<NativeImage> image = NativeImage::Open(file, max_pixels, indices);
  if (!image) return nb::none();
  std::unique_ptr<uint8_t[]> pixels(new uint8_t[image->size_bytes()]);
  if (!image->Write(pixels.get())) return nb::none();
  const nb::capsule owner(pixels.get(), [](void* memory) noexcept { delete[] static_cast<uint8_t*>(memory); });
  uint8_t* const owned = pixels.release();
  const nb::dlpack::dtype type{static_cast<uint8_t>(nb::dlpack::dtype_code::UInt),
                               static_cast<uint8_t>(8 * image->level_bytes()), 1};
  return nb::cast(nb::ndarray<nb::numpy>(owned, {image->height(), image->width(), image->channels()}, owner, {}, type));
}

}  // namespace

std::optional<NativeImage> NativeImage::Open(const FileBytes& file, int64_t max_pixels, bool indices) {
  const auto limit = static_cast<uint64_t>(std::max<int64_t>(0, max_pixels));
  const WithoutGil released;
  try {
    if (auto image = webp::WebpImage::Open(file.data(), file.size(), limit)) return NativeImage(*image, 1);
    std::optional<png::PngImage> image = png::PngImage::Open({file.data(), file.size()}, limit, indices);
    if (image && image->Inflate()) {
      const size_t level_bytes = image->level_bytes();
      return NativeImage(std::move(*image), level_bytes);
    }
  } catch (const std::bad_alloc&) {
    // Pillow may get by with less, or says so.
  }
  return std::nullopt;
}

bool NativeImage::Write(uint8_t* out) {
  const WithoutGil released;
  if (const auto* const webp = std::get_if<webp::WebpImage>(&image_)) return webp->Write(out);
  std::get<png::PngImage>(image_).Write(out);
  return true;
}

void BindImageDecoding(nb::module_& m) {
  m.def("decode_image", &DecodeImage, nb::arg("file"), nb::arg("max_image_pixels"), nb::arg("indices"));
}

}  // namespace jaxdali::python
