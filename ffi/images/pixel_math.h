// What is done to single values and pixels: conversions and steps, to the bits of cpu/pixel_steps.h.
#ifndef JAXDALI_IMAGES_PIXEL_MATH_H_
#define JAXDALI_IMAGES_PIXEL_MATH_H_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/element_types.h"
#include "common/pixel_program.h"
#include "common/rounded.h"
#include "jpeg/portable.h"

namespace jaxdali::images {

JAXDALI_PORTABLE int64_t BytesOf(ElementType type) {
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

template <typename Value>
JAXDALI_PORTABLE Value ValueAt(const uint8_t* at) {
  return jpeg::Load(reinterpret_cast<const Value*>(at));
}

// Exactly.
JAXDALI_PORTABLE float FloatAt(const uint8_t* at, ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return static_cast<float>(jpeg::Load(at));
    case ElementType::kInt8:
      return static_cast<float>(ValueAt<int8_t>(at));
    case ElementType::kUint16:
      return static_cast<float>(ValueAt<uint16_t>(at));
    case ElementType::kInt16:
      return static_cast<float>(ValueAt<int16_t>(at));
    case ElementType::kInt32:
      return static_cast<float>(ValueAt<int32_t>(at));
    case ElementType::kFloat16:
      return FloatOfFloat16(ValueAt<uint16_t>(at));
    case ElementType::kBfloat16:
      return FloatOfBfloat16(ValueAt<uint16_t>(at));
    default:
      return ValueAt<float>(at);
  }
}

// Rounds to the nearest whole number, halves away from zero; NaN becomes 0.
JAXDALI_PORTABLE float RoundWithin(float value, float low, float high) {
  const float whole = truncf(value), rest = value - whole;
  float rounded = whole + (rest >= 0.5f ? 1.0f : 0.0f) - (rest <= -0.5f ? 1.0f : 0.0f);
  rounded = rounded < low ? low : rounded;
  rounded = rounded > high ? high : rounded;
  // No negative zero, which no integer has.
  return value == value ? rounded + 0.0f : 0.0f;
}

template <typename Value>
JAXDALI_PORTABLE void PutAt(uint8_t* at, Value value) {
  *reinterpret_cast<Value*>(at) = value;
}

// To the nearest element that the type has: integers halves away from zero, NaN to 0; the others halves to even.
JAXDALI_PORTABLE void PutFloat(uint8_t* at, ElementType type, float value) {
  switch (type) {
    case ElementType::kUint8:
      return PutAt(at, static_cast<uint8_t>(static_cast<int32_t>(RoundWithin(value, 0.0f, 255.0f))));
    case ElementType::kInt8:
      return PutAt(at, static_cast<int8_t>(static_cast<int32_t>(RoundWithin(value, -128.0f, 127.0f))));
    case ElementType::kUint16:
      return PutAt(at, static_cast<uint16_t>(static_cast<int32_t>(RoundWithin(value, 0.0f, 65535.0f))));
    case ElementType::kInt16:
      return PutAt(at, static_cast<int16_t>(static_cast<int32_t>(RoundWithin(value, -32768.0f, 32767.0f))));
    case ElementType::kInt32: {
      // 2**31 - 1 is no float: those from 2**31 on become it.
      const float rounded = RoundWithin(value, -2147483648.0f, 2147483648.0f);
      return PutAt(at, rounded < 2147483648.0f ? static_cast<int32_t>(rounded) : int32_t{0x7FFFFFFF});
    }
    case ElementType::kFloat16:
      return PutAt(at, Float16Bits(value));
    case ElementType::kBfloat16:
      return PutAt(at, Bfloat16Bits(value));
    case ElementType::kFloat32:
      return PutAt(at, value);
  }
}

JAXDALI_PORTABLE void MixChannels(const float* m, float* v) {
  const float r = v[0], g = v[1], b = v[2];
  JAXDALI_UNROLL
  for (int row = 0; row < 3; ++row, m += 4) {
    const float first = Sum(Product(jpeg::Load(m), r), Product(jpeg::Load(m + 1), g));
    v[row] = Sum(Sum(first, Product(jpeg::Load(m + 2), b)), jpeg::Load(m + 3));
  }
}

// Does steps to `count` channels of a pixel, the first of which is channel `channel`.
template <int kMost>
JAXDALI_PORTABLE void RunSteps(const PixelProgram& program, const float* constants, StepRange range, int64_t channel,
                               int count, float (&v)[kMost]) {
  for (int64_t step = range.first; step < range.end; ++step) {
    const float* const k = constants + step * program.width;
    const auto kind = static_cast<StepKind>(jpeg::Load(program.steps + step));
    JAXDALI_UNROLL
    for (int c = 0; c < kMost; ++c) {
      if (c >= count) break;
      switch (kind) {
        case StepKind::kAdd:
          v[c] = Sum(v[c], jpeg::Load(k + channel + c));
          break;
        case StepKind::kMultiply:
          v[c] = Product(v[c], jpeg::Load(k + channel + c));
          break;
        case StepKind::kRound:
          v[c] = RoundWithin(v[c], jpeg::Load(k), jpeg::Load(k + 1));
          break;
        case StepKind::kToFloat16:
          v[c] = FloatOfFloat16(Float16Bits(v[c]));
          break;
        case StepKind::kToBfloat16:
          v[c] = FloatOfBfloat16(Bfloat16Bits(v[c]));
          break;
        default:
          break;
      }
    }
    if constexpr (kMost == 3) {
      if (kind == StepKind::kMatrix) MixChannels(k, v);
    }
  }
}

}  // namespace jaxdali::images

#endif  // JAXDALI_IMAGES_PIXEL_MATH_H_
