// Looks up Huffman codes in tables of the file's own, which the device makes: each scan of a progressive file has
// others.
#ifndef JAXDALI_JPEG_LOOKUP_H_
#define JAXDALI_JPEG_LOOKUP_H_

#include <cstdint>

#include "base/team.h"
#include "jpeg/batch.h"

namespace jaxdali::jpeg {

// Runs with one team per table of codes.
JAXDALI_TEAM void MakeLookup(const Team& team, const Progressive& progressive, uint32_t number) {
  const Codes& codes = progressive.codes[number];
  Lookup& lookup = progressive.lookups[number];
  team.Each([&](uint32_t thread) {
    for (uint32_t index = thread; index < sizeof(lookup.symbols); index += kTeam) {
      lookup.symbols[index] = codes.symbols[index];
    }
    for (uint32_t bits = thread; bits < 1u << kLookupBits; bits += kTeam) {
      uint32_t entry = 0;
      for (uint32_t length = 1, code = 0, index = 0; length <= kLookupBits; ++length, code <<= 1) {
        const uint32_t count = codes.counts[length - 1], own = bits >> (kLookupBits - length);
        if (own >= code && own - code < count) {
          entry = length << 8 | codes.symbols[index + own - code];
          break;
        }
        code += count;
        index += count;
      }
      lookup.entries[bits] = static_cast<uint16_t>(entry);
    }
    if (thread != 0) return;
    for (uint32_t length = 1, code = 0, index = 0; length <= kLongestCode; ++length, code <<= 1) {
      const uint32_t count = codes.counts[length - 1];
      if (length > kLookupBits) {
        lookup.limits[length - kLookupBits - 1] = (code + count) << (kLongestCode - length);
        lookup.offsets[length - kLookupBits - 1] = static_cast<int32_t>(index) - static_cast<int32_t>(code);
      }
      code += count;
      index += count;
    }
  });
}

// Returns the symbol that `window` begins with, and the length of its code above; 0 if no code begins like this.
JAXDALI_PORTABLE uint32_t Find(const Lookup& lookup, uint32_t window) {
  const uint32_t entry = lookup.entries[window >> (32 - kLookupBits)];
  if (entry != 0) return entry;
  // Without an early exit: lanes of a warp look up different codes.
  const uint32_t first = window >> (32 - kLongestCode);
  uint32_t index = 0;
  JAXDALI_UNROLL
  for (uint32_t other = 0; other < kLongCodes; ++other) index += first >= lookup.limits[other] ? 1 : 0;
  if (index == kLongCodes) return 0;
  const uint32_t length = kLookupBits + 1 + index;
  const auto code = static_cast<int32_t>(first >> (kLongestCode - length));
  return length << 8 | lookup.symbols[code + lookup.offsets[index]];
}

JAXDALI_PORTABLE uint32_t CodeLengthOf(uint32_t found) { return found >> 8; }
JAXDALI_PORTABLE uint32_t SymbolOf(uint32_t found) { return found & 255; }

// Returns `count` bits of a window, 0 to 16, from bit `begin` on, 0 to 16.
JAXDALI_PORTABLE uint32_t BitsOf(uint32_t window, uint32_t begin, uint32_t count) {
  return (window << begin) >> 1 >> (31 - count);
}

// Returns the value that `bits` hold, of which there are `count`, T.81 figure F.12.
JAXDALI_PORTABLE int32_t Extend(uint32_t bits, uint32_t count) {
  const auto value = static_cast<int32_t>(bits);
  return count != 0 && bits >> (count - 1) == 0 ? value - static_cast<int32_t>((1u << count) - 1) : value;
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_LOOKUP_H_
