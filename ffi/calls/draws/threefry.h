// Threefry-2x32 with 20 rounds, after Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC
// 2011).
#ifndef JAXDALI_CALLS_DRAWS_THREEFRY_H_
#define JAXDALI_CALLS_DRAWS_THREEFRY_H_

#include <cstdint>

#include "base/host_device.h"

namespace jaxdali {

struct Key {
  uint32_t high, low;
};

JAXDALI_HOST_DEVICE inline uint32_t RotateLeft(uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}

// Folds a word into a key, as `jax.random.fold_in` does.
JAXDALI_HOST_DEVICE inline Key FoldIn(Key key, uint32_t word) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t words[3] = {key.high, key.low, key.high ^ key.low ^ 0x1BD11BDAu};
  uint32_t a = words[0], b = word + words[1];
  for (uint32_t block = 0; block < 5; ++block) {
    for (int rotation : kRotations[block % 2]) {
      a += b;
      b = RotateLeft(b, rotation) ^ a;
    }
    a += words[(block + 1) % 3];
    b += words[(block + 2) % 3] + block + 1;
  }
  return {a, b};
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_DRAWS_THREEFRY_H_
