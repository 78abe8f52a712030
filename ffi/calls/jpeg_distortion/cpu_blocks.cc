#include "calls/jpeg_distortion/cpu_blocks.h"

#include <algorithm>

#include "base/cloned.h"

namespace jaxdali::cpu {
namespace {

// The same number of each of the blocks. Intermediate sums may wrap; final ones fit.
using Words = uint32_t __attribute__((vector_size(kBlocksAtOnce * sizeof(uint32_t)), may_alias));
using Numbers = int32_t __attribute__((vector_size(kBlocksAtOnce * sizeof(int32_t))));
using Floats = float __attribute__((vector_size(kBlocksAtOnce * sizeof(float))));

constexpr int kBits = 13;  // of fractions in the transforms
constexpr int kPass = 2;   // additional fraction bits that numbers have between the two passes

constexpr uint32_t Fixed(double number) { return static_cast<uint32_t>(number * (1 << kBits) + 0.5); }

// Computes the odd part, which is the same in both directions.
JAXDALI_ALWAYS_INLINE void Odd(const Words& t0, const Words& t1, const Words& t2, const Words& t3, Words* odd) {
  const Words z5 = (t0 + t2 + t1 + t3) * Fixed(1.175875602);
  const Words z1 = (t0 + t3) * Fixed(0.899976223), z2 = (t1 + t2) * Fixed(2.562915447);
  const Words z3 = z5 - (t0 + t2) * Fixed(1.961570560), z4 = z5 - (t1 + t3) * Fixed(0.390180644);
  odd[0] = t0 * Fixed(0.298631336) - z1 + z3;
  odd[1] = t1 * Fixed(2.053119869) - z2 + z4;
  odd[2] = t2 * Fixed(3.072711026) - z2 + z3;
  odd[3] = t3 * Fixed(1.501321110) - z1 + z4;
}

template <int kShift>
JAXDALI_ALWAYS_INLINE void Store(const Words& sum, Words* to) {
  *to = reinterpret_cast<Words>(reinterpret_cast<Numbers>(sum + (1u << (kShift - 1))) >> kShift);
}

// Transforms eight numbers that are `kStep` apart.
template <int kStep, int kShift>
JAXDALI_ALWAYS_INLINE void Forward(Words* x) {
  const Words t0 = x[0] + x[7 * kStep], t7 = x[0] - x[7 * kStep], t1 = x[kStep] + x[6 * kStep];
  const Words t6 = x[kStep] - x[6 * kStep], t2 = x[2 * kStep] + x[5 * kStep], t5 = x[2 * kStep] - x[5 * kStep];
  const Words t3 = x[3 * kStep] + x[4 * kStep], t4 = x[3 * kStep] - x[4 * kStep];
  const Words e0 = t0 + t3, e3 = t0 - t3, e1 = t1 + t2, e2 = t1 - t2, z1 = (e2 + e3) * Fixed(0.541196100);
  Words odd[4];
  Odd(t4, t5, t6, t7, odd);
  Store<kShift>((e0 + e1) << kBits, x);
  Store<kShift>((e0 - e1) << kBits, x + 4 * kStep);
  Store<kShift>(z1 + e3 * Fixed(0.765366865), x + 2 * kStep);
  Store<kShift>(z1 - e2 * Fixed(1.847759065), x + 6 * kStep);
  for (int k = 0; k < 4; ++k) Store<kShift>(odd[3 - k], x + (2 * k + 1) * kStep);
}

template <int kStep, int kShift>
JAXDALI_ALWAYS_INLINE void Inverse(Words* x) {
  const Words z1 = (x[2 * kStep] + x[6 * kStep]) * Fixed(0.541196100);
  const Words t2 = z1 - x[6 * kStep] * Fixed(1.847759065), t3 = z1 + x[2 * kStep] * Fixed(0.765366865);
  const Words t0 = (x[0] + x[4 * kStep]) << kBits, t1 = (x[0] - x[4 * kStep]) << kBits;
  const Words even[4] = {t0 + t3, t1 + t2, t1 - t2, t0 - t3};
  Words odd[4];
  Odd(x[7 * kStep], x[5 * kStep], x[3 * kStep], x[kStep], odd);
  for (int k = 0; k < 4; ++k) {
    Store<kShift>(even[k] + odd[3 - k], x + k * kStep);
    Store<kShift>(even[k] - odd[3 - k], x + (7 - k) * kStep);
  }
}

// Quantizes numbers and multiplies them back. Quotients of a half are rounded away from zero.
JAXDALI_ALWAYS_INLINE void Quantize(int32_t step, float inverse, Words* number) {
  const Numbers own = reinterpret_cast<Numbers>(*number), sign = own >> 31;
  const Numbers enlarged = ((own ^ sign) - sign) + 4 * step;
  // Numbers have at most 15 bits. Adding a half keeps the float product from falling just below an integer quotient.
  const Floats levels = (__builtin_convertvector(enlarged, Floats) + 0.5f) * inverse;
  *number = reinterpret_cast<Words>(((__builtin_convertvector(levels, Numbers) * step) ^ sign) - sign);
}

}  // namespace

void Quantizer::Load(const int32_t* table) {
  for (int64_t k = 0; k < kBlockNumbers; ++k) {
    steps[k] = std::clamp(table[k], 1, 255);
    inverses[k] = 1.0f / static_cast<float>(8 * steps[k]);
  }
}

JAXDALI_CLONED void CodeBlocks(const Quantizer& quantizer, uint8_t* samples, int64_t stride) {
  alignas(sizeof(Words)) int32_t numbers[kBlockNumbers][kBlocksAtOnce];
  for (int64_t row = 0; row < kBlockSide; ++row) {
    for (int64_t block = 0; block < kBlocksAtOnce; ++block) {
      for (int64_t column = 0; column < kBlockSide; ++column) {
        numbers[row * kBlockSide + column][block] = samples[row * stride + block * kBlockSide + column] - 128;
      }
    }
  }
  Words* const words = reinterpret_cast<Words*>(numbers);
  for (int64_t k = 0; k < kBlockSide; ++k) Forward<1, kBits - kPass>(words + k * kBlockSide);
  for (int64_t k = 0; k < kBlockSide; ++k) Forward<kBlockSide, kBits + kPass>(words + k);
  for (int64_t k = 0; k < kBlockNumbers; ++k) Quantize(quantizer.steps[k], quantizer.inverses[k], words + k);
  for (int64_t k = 0; k < kBlockSide; ++k) Inverse<kBlockSide, kBits - kPass>(words + k);
  for (int64_t k = 0; k < kBlockSide; ++k) Inverse<1, kBits + kPass + 3>(words + k * kBlockSide);
  for (int64_t row = 0; row < kBlockSide; ++row) {
    for (int64_t block = 0; block < kBlocksAtOnce; ++block) {
      for (int64_t column = 0; column < kBlockSide; ++column) {
        const int32_t sample = numbers[row * kBlockSide + column][block] + 128;
        samples[row * stride + block * kBlockSide + column] = static_cast<uint8_t>(std::clamp(sample, 0, 255));
      }
    }
  }
}

}  // namespace jaxdali::cpu
