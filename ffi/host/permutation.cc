#include "host/permutation.h"

#include <algorithm>

namespace jaxdali::host {

Permutation::Permutation(uint64_t length, const uint64_t* keys) : length_(length) {
  int bits = 1;
  while (bits < 64 && ((length - 1) >> bits) != 0) ++bits;
  low_bits_ = (bits + 1) / 2;
  low_mask_ = (uint64_t{1} << low_bits_) - 1;
  high_mask_ = (uint64_t{1} << (bits / 2)) - 1;
  std::copy_n(keys, kPermutationRounds, keys_);
}

uint64_t Permutation::Forward(uint64_t value) const {
  do {
    uint64_t low = value & low_mask_, high = value >> low_bits_;
    for (int round = 0; round < kPermutationRounds; round += 2) {
      high ^= MixWord(low, keys_[round]) & high_mask_;
      low ^= MixWord(high, keys_[round + 1]) & low_mask_;
    }
    value = (high << low_bits_) | low;
  } while (value >= length_);
  return value;
}

uint64_t Permutation::Backward(uint64_t value) const {
  do {
    uint64_t low = value & low_mask_, high = value >> low_bits_;
    for (int round = kPermutationRounds - 2; round >= 0; round -= 2) {
      low ^= MixWord(high, keys_[round + 1]) & low_mask_;
      high ^= MixWord(low, keys_[round]) & high_mask_;
    }
    value = (high << low_bits_) | low;
  } while (value >= length_);
  return value;
}

}  // namespace jaxdali::host
