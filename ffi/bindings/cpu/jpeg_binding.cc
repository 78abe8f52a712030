#include "bindings/cpu/jpeg_binding.h"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/without_gil.h"
#include "jpeg/model.h"

namespace nb = nanobind;

namespace jaxdali {
namespace {

using Pixels = nb::ndarray<nb::numpy, uint8_t, nb::ndim<3>>;

Pixels ToArray(jpeg::ModelImage image) {
  auto* const pixels = new std::vector<uint8_t>(std::move(image.pixels));
  nb::capsule owner(pixels, [](void* p) noexcept { delete static_cast<std::vector<uint8_t>*>(p); });
  return Pixels(pixels->data(), {image.height, image.width, image.channels}, owner);
}

// Decodes files on this thread as one batch on a GPU would; gives None for a file that a GPU leaves to the host.
nb::list DecodeAsDevice(const nb::list& files, bool fancy_upsampling, bool luma, uint64_t most_window_bytes) {
  std::vector<std::string_view> strings;
  for (const nb::handle file : files) {
    const auto bytes = nb::cast<nb::bytes>(file);
    strings.emplace_back(bytes.c_str(), bytes.size());
  }
  std::vector<jpeg::ModelImage> images;
  {
    const python::WithoutGil released;
    images = jpeg::DecodeAsDevice(strings, {fancy_upsampling, luma}, most_window_bytes);
  }
  nb::list results;
  for (jpeg::ModelImage& image : images) {
    if (image.is_decoded) {
      results.append(ToArray(std::move(image)));
    } else {
      results.append(nb::none());
    }
  }
  return results;
}

}  // namespace

void BindJpeg(nb::module_& module) {
  using namespace nanobind::literals;
  module.def("decode_as_device", &DecodeAsDevice, "files"_a, nb::kw_only(), "fancy_upsampling"_a, "luma"_a = false,
             "most_window_bytes"_a = jpeg::kMostWindowBytes);
}

}  // namespace jaxdali
