// Operations on single values and pixels: conversions and instructions, to the same bits as
// imaging/pixel_instructions.h.
#ifndef JAXDALI_CALLS_IMAGES_TILES_PIXEL_MATH_H_
#define JAXDALI_CALLS_IMAGES_TILES_PIXEL_MATH_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/element_types.h"
#include "base/portable.h"
#include "base/rounded.h"
#include "recipes/pixel_program.h"

namespace jaxdali::images {

// Calls `work` with the type as a compile-time constant, so that a loop over many elements branches on it only once.
template <typename Work>
JAXDALI_PORTABLE auto WithType(ElementType type, Work work) {
  switch (type) {
    case ElementType::kUint8:
      return work(std::integral_constant<ElementType, ElementType::kUint8>());
    case ElementType::kInt8:
      return work(std::integral_constant<ElementType, ElementType::kInt8>());
    case ElementType::kUint16:
      return work(std::integral_constant<ElementType, ElementType::kUint16>());
    case ElementType::kInt16:
      return work(std::integral_constant<ElementType, ElementType::kInt16>());
    case ElementType::kInt32:
      return work(std::integral_constant<ElementType, ElementType::kInt32>());
    case ElementType::kFloat16:
      return work(std::integral_constant<ElementType, ElementType::kFloat16>());
    case ElementType::kBfloat16:
      return work(std::integral_constant<ElementType, ElementType::kBfloat16>());
    default:
      return work(std::integral_constant<ElementType, ElementType::kFloat32>());
  }
}

// Converts an element, given its bits in the low bits of `bits`. Exact.
template <ElementType kType>
JAXDALI_PORTABLE float FloatAs(uint32_t bits) {
  switch (kType) {
    case ElementType::kUint8:
    case ElementType::kUint16:
      return static_cast<float>(bits);
    case ElementType::kInt8:
      return static_cast<float>(static_cast<int8_t>(bits));
    case ElementType::kInt16:
      return static_cast<float>(static_cast<int16_t>(bits));
    case ElementType::kInt32:
      return static_cast<float>(static_cast<int32_t>(bits));
    case ElementType::kFloat16:
      return FloatOfFloat16(static_cast<uint16_t>(bits));
    case ElementType::kBfloat16:
      return FloatOfBfloat16(static_cast<uint16_t>(bits));
    default:
      return FloatOfBits(bits);
  }
}

// Returns the bits of an element of 1, 2 or 4 bytes.
JAXDALI_PORTABLE uint32_t BitsAt(const uint8_t* at, int64_t bytes) {
  if (bytes == 1) return Load(at);
  if (bytes == 2) return Load(reinterpret_cast<const uint16_t*>(at));
  return Load(reinterpret_cast<const uint32_t*>(at));
}

JAXDALI_PORTABLE void PutBits(uint8_t* at, int64_t bytes, uint32_t bits) {
  if (bytes == 1) {
    *at = static_cast<uint8_t>(bits);
  } else if (bytes == 2) {
    *reinterpret_cast<uint16_t*>(at) = static_cast<uint16_t>(bits);
  } else {
    *reinterpret_cast<uint32_t*>(at) = bits;
  }
}

JAXDALI_PORTABLE float FloatAt(const uint8_t* at, ElementType type) {
  const uint32_t bits = BitsAt(at, ElementBytes(type));
  return WithType(type, [&](auto known) { return FloatAs<decltype(known)::value>(bits); });
}

// The largest float below a half. Adding it away from zero moves a value to the next integer exactly if the value is at
// least half way there.
inline constexpr float kAlmostHalf = 0x1.FFFFFEp-2f;

// Rounds to the nearest whole number, halves away from zero; NaN becomes 0.
JAXDALI_PORTABLE float RoundWithin(float value, float low, float high) {
  const float rounded = fminf(fmaxf(truncf(value + copysignf(kAlmostHalf, value)), low), high);
  // Adding zero turns a negative zero, which integers do not have, into zero.
  return value == value ? rounded + 0.0f : 0.0f;
}

// The same within 0 and an integer, in fewer instructions.
JAXDALI_PORTABLE uint32_t RoundUpTo(float value, float high) {
  return static_cast<uint32_t>(fminf(fmaxf(value, 0.0f), high) + kAlmostHalf);
}

// Returns the bits of the nearest element of the type. Integers round halves away from zero, and NaN becomes 0; the
// other types round halves to even.
template <ElementType kType>
JAXDALI_PORTABLE uint32_t BitsAs(float value) {
  switch (kType) {
    case ElementType::kUint8:
      return RoundUpTo(value, 255.0f);
    case ElementType::kInt8:
      return static_cast<uint32_t>(static_cast<int32_t>(RoundWithin(value, -128.0f, 127.0f)));
    case ElementType::kUint16:
      return RoundUpTo(value, 65535.0f);
    case ElementType::kInt16:
      return static_cast<uint32_t>(static_cast<int32_t>(RoundWithin(value, -32768.0f, 32767.0f)));
    case ElementType::kInt32: {
      // No float is 2**31 - 1; values from 2**31 on become it.
      const float rounded = RoundWithin(value, -2147483648.0f, 2147483648.0f);
      return rounded < 2147483648.0f ? static_cast<uint32_t>(static_cast<int32_t>(rounded)) : 0x7FFFFFFFu;
    }
    case ElementType::kFloat16:
      return Float16Bits(value);
    case ElementType::kBfloat16:
      return Bfloat16Bits(value);
    default:
      return FloatBits(value);
  }
}

JAXDALI_PORTABLE uint32_t BitsOf(float value, ElementType type) {
  return WithType(type, [&](auto known) { return BitsAs<decltype(known)::value>(value); });
}

JAXDALI_PORTABLE void PutFloat(uint8_t* at, ElementType type, float value) {
  PutBits(at, ElementBytes(type), BitsOf(value, type));
}

JAXDALI_PORTABLE void MixChannels(const float* m, float* v) {
  const float r = v[0], g = v[1], b = v[2];
  JAXDALI_UNROLL
  for (int row = 0; row < 3; ++row, m += 4) {
    const float first = Sum(Product(Load(m), r), Product(Load(m + 1), g));
    v[row] = Sum(Sum(first, Product(Load(m + 2), b)), Load(m + 3));
  }
}

// Applies instructions to `count` channels of pixels, starting with channel `channel`.
template <int kPixels, int kMost>
JAXDALI_PORTABLE void RunInstructions(const PixelProgram& program, const float* constants, InstructionRange range,
                                      int64_t channel, int count, float (&v)[kPixels][kMost]) {
  // Applies `work` to each value, with the constant of its channel.
  const auto each = [&](const float* k, auto work) {
    JAXDALI_UNROLL
    for (int c = 0; c < kMost; ++c) {
      if (c >= count) break;
      const float constant = k == nullptr ? 0.0f : Load(k + channel + c);
      JAXDALI_UNROLL
      for (int pixel = 0; pixel < kPixels; ++pixel) v[pixel][c] = work(v[pixel][c], constant);
    }
  };
  for (int64_t instruction = range.first; instruction < range.end; ++instruction) {
    const float* const k = constants + instruction * program.width;
    switch (static_cast<InstructionKind>(Load(program.instructions + instruction))) {
      case InstructionKind::kAdd:
        each(k, [](float value, float constant) { return Sum(value, constant); });
        break;
      case InstructionKind::kMultiply:
        each(k, [](float value, float constant) { return Product(value, constant); });
        break;
      case InstructionKind::kRound: {
        const float low = Load(k), high = Load(k + 1);
        each(nullptr, [=](float value, float) { return RoundWithin(value, low, high); });
        break;
      }
      case InstructionKind::kToFloat16:
        each(nullptr, [](float value, float) { return FloatOfFloat16(Float16Bits(value)); });
        break;
      case InstructionKind::kToBfloat16:
        each(nullptr, [](float value, float) { return FloatOfBfloat16(Bfloat16Bits(value)); });
        break;
      case InstructionKind::kMatrix:
        if constexpr (kMost == 3) {
          JAXDALI_UNROLL
          for (int pixel = 0; pixel < kPixels; ++pixel) MixChannels(k, v[pixel]);
        }
        break;
      default:
        break;
    }
  }
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_PIXEL_MATH_H_
