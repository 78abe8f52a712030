#include "bindings/host/image_binding.h"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "bindings/image_decoding.h"
#include "bindings/side_by_side.h"
#include "bindings/without_gil.h"
#include "host/dtype.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

struct RowPlace {
  uint32_t slot, sample, output;
};

void CheckPlace(const host::Ring& ring, const RowPlace& place) {
  const host::Geometry& geometry = ring.geometry();
  if (place.slot >= geometry.slots || place.sample >= geometry.batch_size || place.output >= geometry.outputs) {
    throw nb::index_error("no such slot, sample or output");
  }
}

// Needs no GIL.
bool WriteRow(host::Ring& ring, const RowPlace& place, const uint8_t* file, size_t size, const ImageReading& reading,
              uint16_t flags) {
  std::optional<NativeImage> image = NativeImage::Open(file, size, reading);
  if (!image) return false;
  host::SampleRecord record{};
  record.dtype = host::DtypeOfFormat(image->level_bytes() == 1 ? "B" : "H", image->level_bytes());
  record.ndim = 3;
  record.flags = flags;
  record.size_bytes = image->size_bytes();
  record.dims[0] = image->height();
  record.dims[1] = image->width();
  record.dims[2] = image->channels();
  host::SampleRecord* const row = ring.records(place.slot) + ring.geometry().batch_size * place.output + place.sample;
  const host::SampleRecord before = *row;
  if (image->Write(ring.Place(place.slot, place.output, place.sample, record))) return true;
  *row = before;
  return false;
}

bool WriteImage(host::Ring& ring, uint32_t slot, uint32_t sample, uint32_t output, const FileBytes& file,
                int64_t max_pixels, bool indices, uint16_t flags) {
  const RowPlace place{slot, sample, output};
  CheckPlace(ring, place);
  const WithoutGil released;
  return WriteRow(ring, place, file.data(), file.size(), {max_pixels, indices}, flags);
}

std::vector<bool> WriteImages(host::Ring& ring, uint32_t slot, const std::vector<uint32_t>& samples, uint32_t output,
                              const std::vector<FileBytes>& files, int64_t max_pixels, bool indices, uint16_t flags,
                              int64_t threads) {
  if (samples.size() != files.size()) throw nb::value_error("as many samples as files are wanted");
  for (const uint32_t sample : samples) CheckPlace(ring, {slot, sample, output});
  std::vector<uint8_t> written(files.size());  // not bits, which threads would share
  const WithoutGil released;
  RunSideBySide(files.size(), threads, [&](size_t index) {
    const FileBytes& file = files[index];
    const RowPlace place{slot, samples[index], output};
    written[index] = WriteRow(ring, place, file.data(), file.size(), {max_pixels, indices}, flags);
  });
  return {written.begin(), written.end()};
}

}  // namespace

void BindImages(nb::module_& m, nb::class_<host::Ring>& ring) {
  BindImageDecoding(m);
  ring.def("write_image", &WriteImage, nb::arg("slot"), nb::arg("sample"), nb::arg("output"), nb::arg("file"),
           nb::arg("max_image_pixels"), nb::arg("indices"), nb::arg("flags"));
  ring.def("write_images", &WriteImages, nb::arg("slot"), nb::arg("samples"), nb::arg("output"), nb::arg("files"),
           nb::arg("max_image_pixels"), nb::arg("indices"), nb::arg("flags"), nb::arg("threads"));
}

}  // namespace jaxdali::python
