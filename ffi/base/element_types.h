// The element types of images, and the conversions of the half-precision types.
#ifndef JAXDALI_BASE_ELEMENT_TYPES_H_
#define JAXDALI_BASE_ELEMENT_TYPES_H_

#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "base/portable.h"

namespace jaxdali {

enum class ElementType : int32_t { kUint8, kInt8, kUint16, kInt16, kInt32, kFloat16, kBfloat16, kFloat32 };

JAXDALI_PORTABLE int64_t ElementBytes(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
    case ElementType::kInt8:
      return 1;
    case ElementType::kInt32:
    case ElementType::kFloat32:
      return 4;
    default:
      return 2;
  }
}

JAXDALI_HOST_DEVICE inline uint32_t FloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

JAXDALI_HOST_DEVICE inline float FloatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// Rounds to the nearest number, halves to even. Gives infinity beyond the range.
JAXDALI_HOST_DEVICE inline uint16_t Float16Bits(float value) {
  const uint32_t bits = FloatBits(value), magnitude = bits & 0x7FFFFFFFu;
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;
  if (magnitude >= 0x47800000u) return sign | 0x7C00u;  // 65536 and more
  if (magnitude < 0x38800000u) {
    // Below the smallest normal number: the last bit of 0.5 + x is the last bit of a float16.
    return sign | static_cast<uint16_t>(FloatBits(FloatOfBits(magnitude) + 0.5f) - FloatBits(0.5f));
  }
  const uint32_t odd = magnitude >> 13 & 1u;
  return sign | static_cast<uint16_t>((magnitude - (112u << 23) + 0xFFFu + odd) >> 13);
}

JAXDALI_HOST_DEVICE inline float FloatOfFloat16(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16, magnitude = half & 0x7FFFu;
  if (magnitude >= 0x7C00u) return FloatOfBits(sign | 0x7F800000u | magnitude << 13);
  if (magnitude >= 0x0400u) return FloatOfBits(sign | ((magnitude << 13) + (112u << 23)));
  return FloatOfBits(sign | FloatBits(static_cast<float>(magnitude) * 0x1p-24f));
}

JAXDALI_HOST_DEVICE inline uint16_t Bfloat16Bits(float value) {
  const uint32_t bits = FloatBits(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

JAXDALI_HOST_DEVICE inline float FloatOfBfloat16(uint16_t half) {
  return FloatOfBits(static_cast<uint32_t>(half) << 16);
}

}  // namespace jaxdali

#endif  // JAXDALI_BASE_ELEMENT_TYPES_H_
