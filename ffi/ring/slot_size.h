// Sizes of slots.
#ifndef JAXDALI_RING_SLOT_SIZE_H_
#define JAXDALI_RING_SLOT_SIZE_H_

#include <cstdint>

namespace jaxdali::host {

constexpr uint64_t RoundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// No size is larger, so sums and products of sizes do not overflow.
inline constexpr uint64_t kLargestSize = uint64_t{1} << 46;

// Capacities come in powers of two: the capacity is the shape of an operand, and each new shape means a compilation.
inline constexpr uint64_t kSmallestSlot = 1 << 20;
inline uint64_t SizeClass(uint64_t bytes) {
  uint64_t size = kSmallestSlot;
  while (size < bytes && size <= kLargestSize) size *= 2;
  return size;
}

// What a slot keeps when it shrinks is a multiple of this.
inline constexpr uint64_t kKeptUnit = 1 << 16;

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_SLOT_SIZE_H_
