#include "bindings/image_decoding.h"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "bindings/side_by_side.h"
#include "bindings/without_gil.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

// The pixels of a file that native code decodes.
struct Decoded {
  uint32_t height, width, channels;
  size_t level_bytes;
  std::unique_ptr<uint8_t[]> pixels;
};

std::optional<Decoded> Decode(const uint8_t* file, size_t size, const ImageReading& reading) {
  std::optional<NativeImage> image = NativeImage::Open(file, size, reading);
  if (!image) return std::nullopt;
  Decoded decoded{image->height(), image->width(), image->channels(), image->level_bytes(), nullptr};
  decoded.pixels.reset(new (std::nothrow) uint8_t[image->size_bytes()]);
  if (decoded.pixels == nullptr || !image->Write(decoded.pixels.get())) return std::nullopt;
  return decoded;
}

nb::object ToArray(std::optional<Decoded> decoded) {
  if (!decoded) return nb::none();
  const nb::capsule owner(decoded->pixels.get(), [](void* memory) noexcept { delete[] static_cast<uint8_t*>(memory); });
  uint8_t* const owned = decoded->pixels.release();
  const nb::dlpack::dtype type{static_cast<uint8_t>(nb::dlpack::dtype_code::UInt),
                               static_cast<uint8_t>(8 * decoded->level_bytes), 1};
  return nb::cast(nb::ndarray<nb::numpy>(owned, {decoded->height, decoded->width, decoded->channels}, owner, {}, type));
}

nb::object DecodeImage(const FileBytes& file, int64_t max_pixels, bool indices) {
  std::optional<Decoded> decoded;
  {
    const WithoutGil released;
    decoded = Decode(file.data(), file.size(), {max_pixels, indices});
  }
  return ToArray(std::move(decoded));
}

nb::list DecodeImages(const std::vector<FileBytes>& files, int64_t max_pixels, bool indices, int64_t threads) {
  std::vector<std::optional<Decoded>> decoded(files.size());
  {
    const WithoutGil released;
    RunSideBySide(files.size(), threads, [&](size_t index) {
      decoded[index] = Decode(files[index].data(), files[index].size(), {max_pixels, indices});
    });
  }
  nb::list arrays;
  for (std::optional<Decoded>& one : decoded) arrays.append(ToArray(std::move(one)));
  return arrays;
}

}  // namespace

std::optional<NativeImage> NativeImage::Open(const uint8_t* file, size_t size, const ImageReading& reading) {
  const auto limit = static_cast<uint64_t>(std::max<int64_t>(0, reading.max_pixels));
  try {
    if (auto image = webp::WebpImage::Open(file, size, limit)) return NativeImage(*image, 1);
    std::optional<png::PngImage> image = png::PngImage::Open({file, size}, limit, reading.indices);
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
  if (const auto* const webp = std::get_if<webp::WebpImage>(&image_)) return webp->Write(out);
  try {
    std::get<png::PngImage>(image_).Write(out);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

void BindImageDecoding(nb::module_& m) {
  m.def("decode_image", &DecodeImage, nb::arg("file"), nb::arg("max_image_pixels"), nb::arg("indices"));
  m.def("decode_images", &DecodeImages, nb::arg("files"), nb::arg("max_image_pixels"), nb::arg("indices"),
        nb::arg("threads"));
}

}  // namespace jaxdali::python
