#include "bindings/host/image_binding.h"

#include <cstdint>
#include <optional>

#include "bindings/image_decoding.h"
#include "host/dtype.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

bool WriteImage(host::Ring& ring, uint32_t slot, uint32_t sample, uint32_t output, const FileBytes& file,
                int64_t max_pixels, bool indices, uint16_t flags) {
  const host::Geometry& geometry = ring.geometry();
  if (slot >= geometry.slots || sample >= geometry.batch_size || output >= geometry.outputs) {
    throw nb::index_error("no such slot, sample or output");
  }
  std::optional<NativeImage> image = NativeImage::Open(file, max_pixels, indices);
  if (!image) return false;
  host::SampleRecord record{};
  record.dtype = host::DtypeOfFormat(image->level_bytes() == 1 ? "B" : "H", image->level_bytes());
  record.ndim = 3;
  record.flags = flags;
  record.size_bytes = image->size_bytes();
  record.dims[0] = image->height();
  record.dims[1] = image->width();
  record.dims[2] = image->channels();
  host::SampleRecord* const place = ring.records(slot) + geometry.batch_size * output + sample;
  const host::SampleRecord before = *place;
  if (image->Write(ring.Place(slot, output, sample, record))) return true;
  *place = before;
  return false;
}

}  // namespace

void BindImages(nb::module_& m, nb::class_<host::Ring>& ring) {
  BindImageDecoding(m);
  ring.def("write_image", &WriteImage, nb::arg("slot"), nb::arg("sample"), nb::arg("output"), nb::arg("file"),
           nb::arg("max_image_pixels"), nb::arg("indices"), nb::arg("flags"));
}

}  // namespace jaxdali::python
