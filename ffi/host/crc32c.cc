#include "host/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace jaxdali::host {
namespace {

// The checksum of each single byte.
constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0);
    table[byte] = crc;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = MakeTable();

uint32_t ByTable(uint32_t crc, const uint8_t* data, size_t size) {
  for (size_t k = 0; k < size; ++k) crc = (crc >> 8) ^ kTable[(crc ^ data[k]) & 0xff];
  return crc;
}

#if defined(__x86_64__)
// The instruction takes three cycles, and a new one can start in each, so three parts of a block are summed at once.
// The parts that follow change a part's checksum linearly, so there is one table for each byte of the checksum.
constexpr size_t kPart = 2048;
using Shift = std::array<std::array<uint32_t, 256>, 4>;

Shift MakeShift(size_t zeros) {
  Shift shift{};
  for (size_t byte = 0; byte < 4; ++byte) {
    for (uint32_t value = 0; value < 256; ++value) {
      uint32_t crc = value << (8 * byte);
      for (size_t k = 0; k < zeros; ++k) crc = (crc >> 8) ^ kTable[crc & 0xff];
      shift[byte][value] = crc;
    }
  }
  return shift;
}

uint32_t Shifted(const Shift& shift, uint32_t crc) {
  return shift[0][crc & 0xff] ^ shift[1][crc >> 8 & 0xff] ^ shift[2][crc >> 16 & 0xff] ^ shift[3][crc >> 24];
}

__attribute__((target("sse4.2"))) uint32_t ByBlocks(uint32_t crc, const uint8_t** data, size_t* size) {
  static const Shift shift = MakeShift(kPart);
  for (; *size >= 3 * kPart; *data += 3 * kPart, *size -= 3 * kPart) {
    uint64_t sums[3] = {crc, 0, 0};
    for (size_t place = 0; place < kPart; place += 8) {
      for (size_t part = 0; part < 3; ++part) {
        uint64_t word;
        std::memcpy(&word, *data + part * kPart + place, 8);
        sums[part] = _mm_crc32_u64(sums[part], word);
      }
    }
    crc = Shifted(shift, static_cast<uint32_t>(sums[0])) ^ static_cast<uint32_t>(sums[1]);
    crc = Shifted(shift, crc) ^ static_cast<uint32_t>(sums[2]);
  }
  return crc;
}

__attribute__((target("sse4.2"))) uint32_t ByInstruction(uint32_t crc, const uint8_t* data, size_t size) {
  uint64_t wide = ByBlocks(crc, &data, &size);
  for (; size >= 8; data += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  return ByTable(static_cast<uint32_t>(wide), data, size);
}
#endif

}  // namespace

uint32_t Crc32c(const uint8_t* data, size_t size, uint32_t before) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2");
  if (has_instruction) return ~ByInstruction(~before, data, size);
#endif
  return ~ByTable(~before, data, size);
}

}  // namespace jaxdali::host
