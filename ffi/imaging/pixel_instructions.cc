#include "imaging/pixel_instructions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/cloned.h"

namespace jaxdali::cpu {
namespace {

// Constants are repeated for this many pixels, so that loops over them are long.
constexpr int64_t kRepeats = 16;
constexpr int64_t kMostRepeated = 64 * kRepeats;  // floats

// Rounds to the nearest whole number, halves away from zero; NaN becomes 0.
JAXDALI_ALWAYS_INLINE float RoundWithin(float value, float low, float high) {
  const float whole = std::trunc(value), rest = value - whole;
  float rounded = whole + (rest >= 0.5f ? 1.0f : 0.0f) - (rest <= -0.5f ? 1.0f : 0.0f);
  rounded = rounded < low ? low : rounded;
  rounded = rounded > high ? high : rounded;
  // Adding zero turns a negative zero, which integers do not have, into zero.
  return value == value ? rounded + 0.0f : 0.0f;
}

JAXDALI_CLONED void RoundRow(float* row, int64_t length, float low, float high) {
  for (int64_t x = 0; x < length; ++x) row[x] = RoundWithin(row[x], low, high);
}

JAXDALI_CLONED void AddRow(float* __restrict row, int64_t length, const float* __restrict constants, int64_t period) {
  for (int64_t done = 0; done < length; done += period) {
    const int64_t count = std::min(period, length - done);
    for (int64_t x = 0; x < count; ++x) row[done + x] += constants[x];
  }
}

JAXDALI_CLONED void MultiplyRow(float* __restrict row, int64_t length, const float* __restrict constants,
                                int64_t period) {
  for (int64_t done = 0; done < length; done += period) {
    const int64_t count = std::min(period, length - done);
    for (int64_t x = 0; x < count; ++x) row[done + x] *= constants[x];
  }
}

// Mixes channel by channel, in pieces, so that the computation is vectorized over pixels.
JAXDALI_CLONED void MixRow(float* pixels, int64_t count, const float* m) {
  constexpr int64_t kPiece = 64;
  float r[kPiece] = {}, g[kPiece] = {}, b[kPiece] = {}, mixed[kPiece];
  for (int64_t done = 0; done < count; done += kPiece, pixels += 3 * kPiece) {
    const int64_t length = std::min(kPiece, count - done);
    for (int64_t x = 0; x < length; ++x) {
      r[x] = pixels[3 * x];
      g[x] = pixels[3 * x + 1];
      b[x] = pixels[3 * x + 2];
    }
    for (int64_t c = 0; c < 3; ++c) {
      const float of_r = m[4 * c], of_g = m[4 * c + 1], of_b = m[4 * c + 2], added = m[4 * c + 3];
      for (int64_t x = 0; x < kPiece; ++x) mixed[x] = ((of_r * r[x] + of_g * g[x]) + of_b * b[x]) + added;
      for (int64_t x = 0; x < length; ++x) pixels[3 * x + c] = mixed[x];
    }
  }
}

// Applies `operation`, AddRow or MultiplyRow, to each pixel's channels and the constants.
template <typename Operation>
void WithConstants(Operation operation, const float* constants, int64_t channels, int64_t count, float* pixels) {
  if (count < kRepeats || channels * kRepeats > kMostRepeated) {
    return operation(pixels, channels * count, constants, channels);
  }
  float repeated[kMostRepeated];
  for (int64_t at = 0; at < channels * kRepeats; at += channels) {
    std::memcpy(repeated + at, constants, channels * sizeof(float));
  }
  operation(pixels, channels * count, repeated, channels * kRepeats);
}

template <typename Element>
JAXDALI_ALWAYS_INLINE void ToIntegers(const float* __restrict floats, int64_t count, Element* __restrict elements) {
  constexpr float kLow = static_cast<float>(std::numeric_limits<Element>::min());
  constexpr float kHigh = static_cast<float>(std::numeric_limits<Element>::max());
  for (int64_t x = 0; x < count; ++x) {
    elements[x] = static_cast<Element>(static_cast<int32_t>(RoundWithin(floats[x], kLow, kHigh)));
  }
}

JAXDALI_CLONED void ToUint8(const float* floats, int64_t count, uint8_t* elements) {
  ToIntegers(floats, count, elements);
}
JAXDALI_CLONED void ToInt8(const float* floats, int64_t count, int8_t* elements) {
  ToIntegers(floats, count, elements);
}
JAXDALI_CLONED void ToUint16(const float* floats, int64_t count, uint16_t* elements) {
  ToIntegers(floats, count, elements);
}
JAXDALI_CLONED void ToInt16(const float* floats, int64_t count, int16_t* elements) {
  ToIntegers(floats, count, elements);
}

void ToInt32(const float* floats, int64_t count, int32_t* elements) {
  for (int64_t x = 0; x < count; ++x) {
    // No float is 2**31 - 1; values from 2**31 on become it.
    const float value = RoundWithin(floats[x], -0x1p31f, 0x1p31f);
    elements[x] = value < 0x1p31f ? static_cast<int32_t>(value) : std::numeric_limits<int32_t>::max();
  }
}

JAXDALI_CLONED void ToFloat16(const float* floats, int64_t count, uint16_t* elements) {
  for (int64_t x = 0; x < count; ++x) elements[x] = Float16Bits(floats[x]);
}

JAXDALI_CLONED void ToBfloat16(const float* floats, int64_t count, uint16_t* elements) {
  for (int64_t x = 0; x < count; ++x) elements[x] = Bfloat16Bits(floats[x]);
}

JAXDALI_CLONED void FromUint8(const uint8_t* elements, int64_t count, float* floats) {
  for (int64_t x = 0; x < count; ++x) floats[x] = static_cast<float>(elements[x]);
}

template <typename Element>
void Widen(const void* elements, int64_t count, float* floats) {
  const Element* from = static_cast<const Element*>(elements);
  for (int64_t x = 0; x < count; ++x) floats[x] = static_cast<float>(from[x]);
}

void RunInstruction(InstructionKind kind, const float* constants, int64_t channels, int64_t count, float* pixels) {
  const int64_t length = channels * count;
  switch (kind) {
    case InstructionKind::kAdd:
      return WithConstants(AddRow, constants, channels, count, pixels);
    case InstructionKind::kMultiply:
      return WithConstants(MultiplyRow, constants, channels, count, pixels);
    case InstructionKind::kRound:
      return RoundRow(pixels, length, constants[0], constants[1]);
    case InstructionKind::kMatrix:
      return MixRow(pixels, count, constants);
    case InstructionKind::kToFloat16:
      for (int64_t x = 0; x < length; ++x) pixels[x] = FloatOfFloat16(Float16Bits(pixels[x]));
      return;
    case InstructionKind::kToBfloat16:
      for (int64_t x = 0; x < length; ++x) pixels[x] = FloatOfBfloat16(Bfloat16Bits(pixels[x]));
      return;
    case InstructionKind::kSample:
    case InstructionKind::kFill:
      return;
  }
}

}  // namespace

void RunInstructions(const PixelProgram& program, const float* constants, InstructionRange range, int64_t channels,
                     int64_t count, float* pixels) {
  for (int64_t instruction = range.first; instruction < range.end; ++instruction) {
    RunInstruction(program.Kind(instruction), constants + instruction * program.width, channels, count, pixels);
  }
}

void ToFloats(const void* elements, ElementType type, int64_t count, float* floats) {
  const uint16_t* halves = static_cast<const uint16_t*>(elements);
  switch (type) {
    case ElementType::kUint8:
      return FromUint8(static_cast<const uint8_t*>(elements), count, floats);
    case ElementType::kInt8:
      return Widen<int8_t>(elements, count, floats);
    case ElementType::kUint16:
      return Widen<uint16_t>(elements, count, floats);
    case ElementType::kInt16:
      return Widen<int16_t>(elements, count, floats);
    case ElementType::kInt32:
      return Widen<int32_t>(elements, count, floats);
    case ElementType::kFloat16:
      for (int64_t x = 0; x < count; ++x) floats[x] = FloatOfFloat16(halves[x]);
      return;
    case ElementType::kBfloat16:
      for (int64_t x = 0; x < count; ++x) floats[x] = FloatOfBfloat16(halves[x]);
      return;
    case ElementType::kFloat32:
      std::memcpy(floats, elements, count * sizeof(float));
  }
}

void FromFloats(const float* floats, int64_t count, ElementType type, void* elements) {
  switch (type) {
    case ElementType::kUint8:
      return ToUint8(floats, count, static_cast<uint8_t*>(elements));
    case ElementType::kInt8:
      return ToInt8(floats, count, static_cast<int8_t*>(elements));
    case ElementType::kUint16:
      return ToUint16(floats, count, static_cast<uint16_t*>(elements));
    case ElementType::kInt16:
      return ToInt16(floats, count, static_cast<int16_t*>(elements));
    case ElementType::kInt32:
      return ToInt32(floats, count, static_cast<int32_t*>(elements));
    case ElementType::kFloat16:
      return ToFloat16(floats, count, static_cast<uint16_t*>(elements));
    case ElementType::kBfloat16:
      return ToBfloat16(floats, count, static_cast<uint16_t*>(elements));
    case ElementType::kFloat32:
      std::memcpy(elements, floats, count * sizeof(float));
  }
}

}  // namespace jaxdali::cpu
