// The operands of `jaxdali_images_v1` as XLA hands them over, the same on every platform.
#ifndef JAXDALI_CALLS_IMAGES_OPERANDS_H_
#define JAXDALI_CALLS_IMAGES_OPERANDS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "recipes/images_call.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

namespace ffi = xla::ffi;

struct ImagesAttributes {
  bool raise_on_error;                      // true: an image that is not OK fails the call
  bool fancy_upsampling;                    // as in DecodeAttributes
  int32_t threads;                          // upper bound of host threads used by the call; 0 = as many as there are
  int32_t decoder;                          // as in DecodeAttributes
  int32_t source;                           // ImageSourceKind
  int32_t color;                            // ImageColor, of files
  int32_t channels;                         // of files: 3 for RGB, 1 for gray, else as many as the widest file has
  int32_t bits;                             // of files: bits per channel, 8 (uint8) or 16 (uint16)
  ffi::Span<const int32_t> channels_first;  // for each recipe: whether its result is [N, C, h, w], else [N, h, w, C]
  ffi::Span<const int32_t> affinity;        // as in DecodeAttributes
};

inline ffi::Error ImagesError(const std::string& text) {
  return ffi::Error::InvalidArgument(std::string(kImagesTarget) + ": " + text);
}

inline std::optional<ElementType> ElementTypeOf(ffi::DataType type) {
  switch (type) {
    case ffi::DataType::U8:
      return ElementType::kUint8;
    case ffi::DataType::S8:
      return ElementType::kInt8;
    case ffi::DataType::U16:
      return ElementType::kUint16;
    case ffi::DataType::S16:
      return ElementType::kInt16;
    case ffi::DataType::S32:
      return ElementType::kInt32;
    case ffi::DataType::F16:
      return ElementType::kFloat16;
    case ffi::DataType::BF16:
      return ElementType::kBfloat16;
    case ffi::DataType::F32:
      return ElementType::kFloat32;
    default:
      return std::nullopt;
  }
}

inline ffi::Error ViewBuffer(ffi::AnyBuffer buffer, ArrayView* view) {
  const std::optional<ElementType> type = ElementTypeOf(buffer.element_type());
  if (!type) {
    return ImagesError(
        "an operand or a result has a dtype that images do not have; expected int8, int16, int32, uint8, uint16, "
        "float16, bfloat16 or float32");
  }
  const auto shape = buffer.dimensions();
  *view = {buffer.untyped_data(), *type, {shape.begin(), shape.end()}};
  return ffi::Error::Success();
}

// Gathers a call's attributes and operands, and checks types and shapes.
inline ffi::Error LoadImagesOperands(const ImagesAttributes& attributes, ffi::AnyBuffer data, ffi::AnyBuffer info,
                                     ffi::RemainingArgs recipes, ffi::RemainingRets results, ImagesCall* call) {
  if (attributes.threads < 0) {
    return ImagesError("threads is " + std::to_string(attributes.threads) +
                       "; expected 0 (as many as XLA's pool has) or an upper bound");
  }
  ImagesOperands operands = {attributes.source,
                             attributes.color,
                             attributes.channels,
                             attributes.bits,
                             {attributes.channels_first.begin(), attributes.channels_first.end()}};
  if (ffi::Error error = ViewBuffer(data, &operands.data); error.failure()) return error;
  if (ffi::Error error = ViewBuffer(info, &operands.info); error.failure()) return error;
  operands.recipes.resize(recipes.size());
  for (size_t index = 0; index < recipes.size(); ++index) {
    ffi::ErrorOr<ffi::AnyBuffer> buffer = recipes.get<ffi::AnyBuffer>(index);
    if (!buffer.has_value()) return buffer.error();
    if (ffi::Error error = ViewBuffer(*buffer, &operands.recipes[index]); error.failure()) return error;
  }
  operands.results.resize(results.size());
  for (size_t index = 0; index < results.size(); ++index) {
    ffi::ErrorOr<ffi::Result<ffi::AnyBuffer>> buffer = results.get<ffi::AnyBuffer>(index);
    if (!buffer.has_value()) return buffer.error();
    if (ffi::Error error = ViewBuffer(**buffer, &operands.results[index]); error.failure()) return error;
  }
  if (std::string error = LoadImagesShapes(operands, call); !error.empty()) return ImagesError(error);
  return ffi::Error::Success();
}

}  // namespace jaxdali

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(
    jaxdali::ImagesAttributes, xla::ffi::StructMember<bool>("raise_on_error"),
    xla::ffi::StructMember<bool>("fancy_upsampling"), xla::ffi::StructMember<int32_t>("threads"),
    xla::ffi::StructMember<int32_t>("decoder"), xla::ffi::StructMember<int32_t>("source"),
    xla::ffi::StructMember<int32_t>("color"), xla::ffi::StructMember<int32_t>("channels"),
    xla::ffi::StructMember<int32_t>("bits"), xla::ffi::StructMember<xla::ffi::Span<const int32_t>>("channels_first"),
    xla::ffi::StructMember<xla::ffi::Span<const int32_t>>("affinity"));

#endif  // JAXDALI_CALLS_IMAGES_OPERANDS_H_
