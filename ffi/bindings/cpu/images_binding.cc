#include "bindings/cpu/images_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/without_gil.h"
#include "calls/images/tiles/model.h"
#include "decoding/stored_pixels.h"
#include "imaging/images_batch.h"
#include "recipes/images_call.h"

namespace nb = nanobind;

namespace jaxdali {
namespace {

using InputArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using ResultArray = nb::ndarray<nb::c_contig, nb::device::cpu>;

ElementType TypeOf(nb::dlpack::dtype type) {
  const auto is = [&](nb::dlpack::dtype_code code, int bits) {
    return type.code == static_cast<uint8_t>(code) && type.bits == bits && type.lanes == 1;
  };
  using Code = nb::dlpack::dtype_code;
  if (is(Code::UInt, 8)) return ElementType::kUint8;
  if (is(Code::Int, 8)) return ElementType::kInt8;
  if (is(Code::UInt, 16)) return ElementType::kUint16;
  if (is(Code::Int, 16)) return ElementType::kInt16;
  if (is(Code::Int, 32)) return ElementType::kInt32;
  if (is(Code::Float, 16)) return ElementType::kFloat16;
  if (is(Code::Float, 32)) return ElementType::kFloat32;
  throw nb::value_error("expected arrays of int8, int16, int32, uint8, uint16, float16 or float32");
}

template <typename Array>
ArrayView ViewOf(const Array& array) {
  ArrayView view = {const_cast<void*>(static_cast<const void*>(array.data())), TypeOf(array.dtype()), {}};
  for (size_t axis = 0; axis < array.ndim(); ++axis) view.shape.push_back(static_cast<int64_t>(array.shape(axis)));
  return view;
}

struct Operands {
  ImagesOperands views;
  ImagesCall call;

  Operands(const InputArray& data, const InputArray& info, const std::vector<InputArray>& recipes,
           const std::vector<ResultArray>& results, int32_t source, int32_t color, int32_t channels, int32_t bits,
           const std::vector<int32_t>& channels_first)
      : views{source, color, channels, bits, channels_first, ViewOf(data), ViewOf(info), {}, {}} {
    for (const InputArray& array : recipes) views.recipes.push_back(ViewOf(array));
    for (const ResultArray& array : results) views.results.push_back(ViewOf(array));
    if (const std::string error = LoadImagesCall(views, &call); !error.empty()) throw nb::value_error(error.c_str());
  }
};

// Makes all images on this thread. Returns for each image why it is not OK, or an empty string.
std::vector<std::string> Images(const InputArray& data, const InputArray& info, const std::vector<InputArray>& recipes,
                                const std::vector<ResultArray>& results, int32_t source, int32_t color,
                                int32_t channels, int32_t bits, const std::vector<int32_t>& channels_first) {
  Operands operands(data, info, recipes, results, source, color, channels, bits, channels_first);
  ImagesCall& call = operands.call;
  std::vector<std::string> messages(call.count);
  const python::WithoutGil released;
  cpu::ImagesBatch batch(call);
  for (int64_t image = 0; image < call.count; ++image) {
    cpu::RowResult result = batch.Make(image);
    if (result.out_of_memory) throw std::bad_alloc();
    call.statuses[image] = static_cast<int32_t>(result.status);
    messages[image] = std::move(result.message);
  }
  return messages;
}

// Returns the stored pixels of a file, as a GPU's decoder leaves them; none if the file fails.
std::vector<uint8_t> StoredPixels(const ImageSource& source, int64_t image, Status* status) {
  const Row row = LoadRow(source.info + image * kRowFields);
  const cpu::EncodedBytes encoded = {source.data, source.capacity};
  *status = cpu::CheckRow(row, encoded).status;
  if (*status != Status::kOk) return {};
  std::vector<uint8_t> pixels(row.height * row.width * source.channels);
  *status = cpu::MakeStoredPixels(row, encoded, source.channels, pixels.data()).status;
  return pixels;
}

// Makes all images on this thread, as a GPU does. Refuses files in their own colors or of 16 bits, which a GPU leaves
// to the host.
void ImagesAsDevice(const InputArray& data, const InputArray& info, const std::vector<InputArray>& recipes,
                    const std::vector<ResultArray>& results, int32_t source, int32_t color, int32_t channels,
                    int32_t bits, const std::vector<int32_t>& channels_first) {
  Operands operands(data, info, recipes, results, source, color, channels, bits, channels_first);
  ImagesCall& call = operands.call;
  if (call.source.kind == ImageSourceKind::kFiles && (call.source.color == ImageColor::kOwn || bits != 8)) {
    throw nb::value_error("a GPU leaves files in their own colors, or of 16 bits, to the host");
  }
  const python::WithoutGil released;
  std::fill_n(call.statuses, call.count, static_cast<int32_t>(Status::kOk));
  if (call.source.kind == ImageSourceKind::kCanvas) {
    return images::MakeAllHere(call, images::SourcesOf(images::CanvasOf(call.source), call.count));
  }
  std::vector<images::SourceImage> sources;
  std::vector<std::vector<uint8_t>> stored(call.count);
  for (int64_t image = 0; image < call.count; ++image) {
    Status status = Status::kOk;
    stored[image] = StoredPixels(call.source, image, &status);
    call.statuses[image] = static_cast<int32_t>(status);
    const Row row = status == Status::kOk ? LoadRow(call.source.info + image * kRowFields) : Row{};
    sources.push_back(images::SourceOf(row, stored[image].data(), call.source.channels, image));
  }
  images::MakeAllHere(call, sources);
}

}  // namespace

void BindImages(nb::module_& module) {
  using namespace nanobind::literals;
  module.def("images", &Images, "data"_a, "info"_a, "recipes"_a, "results"_a, nb::kw_only(), "source"_a, "color"_a = 0,
             "channels"_a = 3, "bits"_a = 8, "channels_first"_a);
  module.def("images_as_device", &ImagesAsDevice, "data"_a, "info"_a, "recipes"_a, "results"_a, nb::kw_only(),
             "source"_a, "color"_a = 0, "channels"_a = 3, "bits"_a = 8, "channels_first"_a);
}

}  // namespace jaxdali
