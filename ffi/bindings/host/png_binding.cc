#include "bindings/host/png_binding.h"

#include <cstdint>
#include <optional>

#include "bindings/png_decoding.h"
#include "bindings/without_gil.h"
#include "host/dtype.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

bool WritePng(host::Ring& ring, uint32_t slot, uint32_t sample, uint32_t output, const PngBytes& file,
              int64_t max_pixels, bool indices, uint16_t flags) {
  const host::Geometry& geometry = ring.geometry();
  if (slot >= geometry.slots || sample >= geometry.batch_size || output >= geometry.outputs) {
    throw nb::index_error("no such slot, sample or output");
  }
  std::optional<png::PngImage> image = OpenInflated(file, max_pixels, indices);
  if (!image) return false;
  host::SampleRecord record{};
  record.dtype = host::DtypeOfFormat(image->level_bytes() == 1 ? "B" : "H", image->level_bytes());
  record.ndim = 3;
  record.flags = flags;
  record.size_bytes = image->size_bytes();
  record.dims[0] = image->height();
  record.dims[1] = image->width();
  record.dims[2] = image->channels();
  uint8_t* const place = ring.Place(slot, output, sample, record);
  const WithoutGil released;
  image->Write(place);
  return true;
}

}  // namespace

void BindPng(nb::module_& m, nb::class_<host::Ring>& ring) {
  BindPngDecoding(m);
  ring.def("write_png", &WritePng, nb::arg("slot"), nb::arg("sample"), nb::arg("output"), nb::arg("file"),
           nb::arg("max_image_pixels"), nb::arg("indices"), nb::arg("flags"));
}

}  // namespace jaxdali::python
