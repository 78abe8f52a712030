// jaxdali._device.ffi._cpu: the custom calls of the CPU platform, and the header parser.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bindings/cpu/images_binding.h"
#include "bindings/cpu/jpeg_binding.h"
#include "bindings/image_decoding.h"
#include "bindings/without_gil.h"
#include "calls/blobs/cpu_handler.h"
#include "calls/correlate/cpu_handler.h"
#include "calls/decode/cpu_handler.h"
#include "calls/decode_resample/attributes.h"
#include "calls/decode_resample/cpu_handler.h"
#include "calls/demosaic/cpu_handler.h"
#include "calls/draws/cpu_handler.h"
#include "calls/draws/operands.h"
#include "calls/images/cpu_handler.h"
#include "calls/jpeg_distortion/cpu_handler.h"
#include "calls/levels/cpu_handler.h"
#include "calls/levels/operands.h"
#include "calls/paste/cpu_handler.h"
#include "calls/picks/cpu_handler.h"
#include "calls/warp/cpu_handler.h"
#include "calls/warp/operands.h"
#include "decoding/header_row.h"
#include "decoding/jpeg_scan.h"
#include "recipes/images_call.h"
#include "recipes/recipes.h"
#include "rows/rows.h"

namespace nb = nanobind;

namespace jaxdali {
namespace {

static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::DecodeHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::DecodeResampleHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::ImagesHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::ThreefryHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::WindowHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::CorrelateHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::BlobsHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::BlobExtentsHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::LargestBlobsHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::PasteHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::DistortHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::CountLevelsHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::LookUpHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::MixHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::DemosaicHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::PickTrueHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::PickLabelHandler), XLA_FFI_CallFrame*>);
static_assert(std::is_invocable_r_v<XLA_FFI_Error*, decltype(&cpu::WarpHandler), XLA_FFI_CallFrame*>);

using ByteArray = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WordArray = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Int32Table = nb::ndarray<nb::numpy, int32_t, nb::ndim<2>, nb::c_contig>;

constexpr uint64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

template <size_t N>
nb::dict NamesToValues(const Named (&names)[N]) {
  nb::dict result;
  for (const Named& entry : names) result[entry.name] = entry.value;
  return result;
}

void CheckRange(size_t index, uint64_t offset, uint64_t size, uint64_t buffer_size) {
  const std::string name = "image " + std::to_string(index);
  if (offset % kAlignment != 0 || offset / kAlignment > kMaxInt32) {
    throw nb::value_error(
        (name + ": offset " + std::to_string(offset) + " must be a multiple of 64 and at most 64 * (2**31 - 1)")
            .c_str());
  }
  if (offset > buffer_size || size > buffer_size - offset) {
    throw nb::value_error((name + ": " + std::to_string(size) + " bytes at " + std::to_string(offset) +
                           " do not lie within a buffer of " + std::to_string(buffer_size))
                              .c_str());
  }
}

Int32Table MakeTable(std::unique_ptr<int32_t[]> data, size_t rows, size_t columns) {
  int32_t* pointer = data.release();
  nb::capsule owner(pointer, [](void* p) noexcept { delete[] static_cast<int32_t*>(p); });
  return Int32Table(pointer, {rows, columns}, owner);
}

nb::tuple ProbeRows(ByteArray buffer, WordArray offsets, WordArray sizes, uint64_t max_image_pixels) {
  const size_t count = offsets.shape(0);
  if (sizes.shape(0) != count) {
    throw nb::value_error(
        ("got " + std::to_string(count) + " offsets and " + std::to_string(sizes.shape(0)) + " sizes").c_str());
  }
  for (size_t index = 0; index < count; ++index) {
    CheckRange(index, offsets.data()[index], sizes.data()[index], buffer.shape(0));
  }
  std::unique_ptr<int32_t[]> rows(new int32_t[count * kRowFields]());
  std::unique_ptr<int32_t[]> extents(new int32_t[count * kExtents]());
  {
    const python::WithoutGil released;
    for (size_t index = 0; index < count; ++index) {
      DescribeFile(buffer.data(), offsets.data()[index], sizes.data()[index], 0, max_image_pixels,
                   rows.get() + index * kRowFields, extents.get() + index * kExtents);
    }
  }
  return nb::make_tuple(MakeTable(std::move(rows), count, kRowFields), MakeTable(std::move(extents), count, kExtents));
}

nb::dict Registrations() {
  nb::dict targets;
  targets[kDecodeTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::DecodeHandler));
  targets[kDecodeResampleTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::DecodeResampleHandler));
  targets[kImagesTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::ImagesHandler));
  targets[kThreefryTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::ThreefryHandler));
  targets[kWindowTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::WindowHandler));
  targets[cpu::kCorrelateTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::CorrelateHandler));
  targets[cpu::kBlobsTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::BlobsHandler));
  targets[cpu::kBlobExtentsTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::BlobExtentsHandler));
  targets[cpu::kLargestBlobsTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::LargestBlobsHandler));
  targets[cpu::kPasteTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::PasteHandler));
  targets[cpu::kDistortTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::DistortHandler));
  targets[kCountLevelsTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::CountLevelsHandler));
  targets[kLookUpTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::LookUpHandler));
  targets[cpu::kMixTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::MixHandler));
  targets[cpu::kDemosaicTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::DemosaicHandler));
  targets[cpu::kPickTrueTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::PickTrueHandler));
  targets[cpu::kPickLabelTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::PickLabelHandler));
  targets[kWarpTarget] = nb::capsule(reinterpret_cast<void*>(&cpu::WarpHandler));
  return targets;
}

}  // namespace
}  // namespace jaxdali

// The stub with types and the contract of each function is jaxdali/_device/ffi/_cpu.pyi.
NB_MODULE(_cpu, module) {
  using namespace nanobind::literals;
  module.doc() = "The custom calls of the CPU platform.";
  module.def("registrations", &jaxdali::Registrations);
  module.def("probe_rows", &jaxdali::ProbeRows, "buffer"_a, "offsets"_a, "sizes"_a, "max_image_pixels"_a);
  module.def(
      "is_plain_jpeg", [](jaxdali::ByteArray file) { return jaxdali::IsPlainJpeg(file.data(), file.shape(0)); },
      "file"_a);
  jaxdali::python::BindImageDecoding(module);
  module.def("row_fields", [] { return jaxdali::NamesToValues(jaxdali::kRowFieldNames); });
  module.def("codecs", [] { return jaxdali::NamesToValues(jaxdali::kCodecNames); });
  module.def("statuses", [] { return jaxdali::NamesToValues(jaxdali::kStatusNames); });
  module.def("geometry_fields", [] { return jaxdali::NamesToValues(jaxdali::kGeometryFieldNames); });
  module.def("filters", [] { return jaxdali::NamesToValues(jaxdali::kFilterNames); });
  module.def("instruction_kinds", [] { return jaxdali::NamesToValues(jaxdali::kInstructionKindNames); });
  jaxdali::BindImages(module);
  jaxdali::BindJpeg(module);
  module.attr("MAX_INSTRUCTIONS") = jaxdali::kMaxInstructions;
  module.attr("ALIGNMENT") = jaxdali::kAlignment;
}
