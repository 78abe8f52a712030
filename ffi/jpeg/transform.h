// Turns coefficients into samples: the inverse DCT of libjpeg-turbo's "slow" method, bit for bit like its SIMD code on
// x86 (jidctint.c; simd/x86_64/jidctint-avx2.asm), with products of 16-bit values, sums of 32 bits, and saturation
// between the two passes.
#ifndef JAXDALI_JPEG_TRANSFORM_H_
#define JAXDALI_JPEG_TRANSFORM_H_

#include <cstdint>
#include <cstring>

#include "base/portable.h"
#include "jpeg/batch.h"
#include "jpeg/dc.h"

namespace jaxdali::jpeg {

JAXDALI_PORTABLE int32_t Wrap16(int32_t value) { return static_cast<int16_t>(value); }

// Eight values of 16 bits, loaded at once.
struct alignas(16) Eight {
  uint32_t pairs[4];  // of the first two, in the lower and the upper half, and so on
};
template <typename Value>
JAXDALI_PORTABLE Eight LoadEight(const Value* at) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const Eight*>(at);
#else
  Eight eight;
  std::memcpy(&eight, at, sizeof(eight));
  return eight;
#endif
}

// Transforms eight values of 16 bits in one pass. Gives `finish` the results, rounded to `kShift` bits fewer.
template <int kShift, typename Finish>
JAXDALI_PORTABLE void Transform8(const int32_t* x, int32_t* y, Finish finish) {
  constexpr int32_t kHalf = 1 << (kShift - 1);
  const int32_t a = 8192 * Wrap16(x[0] + x[4]) + kHalf, b = 8192 * Wrap16(x[0] - x[4]) + kHalf;
  const int32_t e = 10703 * x[2] + 4433 * x[6], g = 4433 * x[2] - 10704 * x[6];
  const int32_t z3 = Wrap16(x[7] + x[3]), z4 = Wrap16(x[5] + x[1]);
  const int32_t u = -6436 * z3 + 9633 * z4, v = 9633 * z3 + 6437 * z4;
  const int32_t o0 = -4927 * x[7] - 7373 * x[1] + u, o1 = -4176 * x[5] - 20995 * x[3] + v;
  const int32_t o2 = -20995 * x[5] + 4177 * x[3] + u, o3 = -7373 * x[7] + 4926 * x[1] + v;
  y[0] = finish((a + e + o3) >> kShift);
  y[7] = finish((a + e - o3) >> kShift);
  y[1] = finish((b + g + o2) >> kShift);
  y[6] = finish((b + g - o2) >> kShift);
  y[2] = finish((b - g + o1) >> kShift);
  y[5] = finish((b - g - o1) >> kShift);
  y[3] = finish((a - e + o0) >> kShift);
  y[4] = finish((a - e - o0) >> kShift);
}

// Makes the samples of a block of the batch; with `only_luma`, skips blocks of other components.
JAXDALI_PORTABLE void TransformBlock(const Batch& batch, bool only_luma, uint32_t number) {
  const uint32_t index = batch.picture_of_blocks[number / kBlocksTogether];
  if (index == kNone || batch.verdicts[index] != static_cast<int32_t>(Verdict::kDecoded)) return;
  const Picture& picture = batch.pictures[index];
  const uint32_t block = number - picture.first_block;
  if (block >= picture.blocks) return;
  const uint32_t mcu = block / picture.blocks_of_mcu, place = block - mcu * picture.blocks_of_mcu;
  const uint32_t component = ComponentOf(picture, place);
  if (only_luma && component > 0) return;
  const uint16_t* const quantizer = batch.quantizers + (picture.quantizers + component) * kBlockSize;
  const int16_t* const coefficients = CoefficientsOf(batch, number);
  // Where coefficient k of a file is in its block, T.81 figure 5.
  constexpr uint8_t kZigzag[kBlockSize] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                           12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                           35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                           58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
  int32_t x[kBlockSize];
  uint32_t below = 0;  // is not 0 if any coefficient below the first row is not
  JAXDALI_UNROLL
  for (int part = 0; part < kBlockSize / 8; ++part) {
    const Eight values = LoadEight(coefficients + part * 8), factors = LoadEight(quantizer + part * 8);
    JAXDALI_UNROLL
    for (int pair = 0; pair < 4; ++pair) {
      const uint32_t two = values.pairs[pair], factor = factors.pairs[pair], upper = two & 0xFFFF0000;
      const int first = kZigzag[part * 8 + pair * 2], second = kZigzag[part * 8 + pair * 2 + 1];
      // Products of which 16 bits count: those of the lower halves, and of the upper ones.
      x[first] = Wrap16(static_cast<int32_t>(two * factor));
      x[second] = static_cast<int32_t>(upper * (factor >> 16)) >> 16;
      if (first >= kSide) below |= two & 0xFFFF;
      if (second >= kSide) below |= upper;
    }
  }
  if (picture.script == kNone) {
    // libjpeg stores the sum of differences in 16 bits, too.
    x[0] = Wrap16(Wrap16(DcOf(batch, picture, block, place)) * static_cast<int32_t>(quantizer[0]));
  }
  // The SIMD code has a shortcut for blocks with only a first row: four times that row, which does not saturate. Where
  // that matters, all rows are made equal to what a row becomes that does not saturate, either.
  if (below == 0) {
    JAXDALI_UNROLL
    for (int column = 0; column < kSide; ++column) x[column] = Wrap16(4 * x[column]) >> 2;
  }
  JAXDALI_UNROLL
  for (int column = 0; column < kSide; ++column) {
    int32_t in[kSide], out[kSide];
    JAXDALI_UNROLL
    for (int row = 0; row < kSide; ++row) in[row] = x[row * kSide + column];
    Transform8<11>(in, out, [](int32_t value) { return Clamp(value, -32768, 32767); });
    JAXDALI_UNROLL
    for (int row = 0; row < kSide; ++row) x[row * kSide + column] = out[row];
  }
  const bool is_luma = component == 0 && picture.components > 1;
  const uint32_t across = is_luma ? picture.luma_across : 1, down = is_luma ? picture.luma_down : 1;
  const uint32_t mcu_row = mcu / picture.mcus_across, mcu_column = mcu - mcu_row * picture.mcus_across;
  const uint32_t row = mcu_row * down + (is_luma ? place / across : 0);
  const uint32_t column = mcu_column * across + (is_luma ? place % across : 0);
  const Plane& plane = picture.planes[component];
  uint8_t* target = batch.planes + plane.at + uint64_t{row} * kSide * plane.stride + column * kSide;
  JAXDALI_UNROLL
  for (int line = 0; line < kSide; ++line, target += plane.stride) {
    int32_t y[kSide];
    Transform8<18>(x + line * kSide, y, [](int32_t value) { return ClampToByte(value + 128); });
    uint32_t halves[2] = {0, 0};
    JAXDALI_UNROLL
    for (int k = 0; k < kSide; ++k) {
      halves[k / 4] += static_cast<uint32_t>(y[k]) << (k % 4 * 8);  // a sum takes one instruction with the shift
    }
    // Aligned, because strides and offsets are multiples of eight.
    reinterpret_cast<uint32_t*>(target)[0] = halves[0];
    reinterpret_cast<uint32_t*>(target)[1] = halves[1];
  }
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_TRANSFORM_H_
