// Decodes PNG files for Python; what the modules of workers and of calls share.
#ifndef JAXDALI_BINDINGS_PNG_DECODING_H_
#define JAXDALI_BINDINGS_PNG_DECODING_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>

#include "png/png_image.h"

namespace jaxdali::python {

using PngBytes = nanobind::ndarray<const uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Opens and inflates a file without the GIL. Returns nullopt if Pillow should see it, also if there is not enough
// memory.
std::optional<png::PngImage> OpenInflated(const PngBytes& file, int64_t max_pixels, bool indices);

// Binds decode_png.
void BindPngDecoding(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_PNG_DECODING_H_
