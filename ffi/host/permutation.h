// A keyed permutation of 0 to length - 1, position by position, equal to that of Permutation in source/sampler.py.
#ifndef JAXDALI_HOST_PERMUTATION_H_
#define JAXDALI_HOST_PERMUTATION_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali::host {

constexpr int kPermutationRounds = 8;

// The finalizer of SplitMix64: a pseudo-random function of a word.
inline uint64_t MixWord(uint64_t word, uint64_t key) {
  word += key;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
  return word ^ (word >> 31);
}

// An alternating Feistel network on the smallest power of two that holds `length`. A value beyond `length` is permuted
// again until it falls inside, less than twice on average.
class Permutation {
 public:
  // length: 1 to 2^62. keys: one for each round.
  Permutation(uint64_t length, const uint64_t* keys);
  // Return where a value below `length` goes, and where it came from.
  uint64_t Forward(uint64_t value) const;
  uint64_t Backward(uint64_t value) const;

 private:
  uint64_t length_, low_mask_, high_mask_;
  int low_bits_;
  uint64_t keys_[kPermutationRounds];
};

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_PERMUTATION_H_
