// Lookup tables of Huffman codes: how one symbol, and the bits that follow it, change a decoder's state.
#ifndef JAXDALI_JPEG_TABLES_H_
#define JAXDALI_JPEG_TABLES_H_

#include <array>
#include <cstdint>

#include "base/portable.h"
#include "jpeg/file_header.h"

namespace jaxdali::jpeg {

// An entry of a table:
//   bits 0-4    length of the code and of the bits that follow it, 1 to 31
//   bits 5-9    length of the code alone
//   bits 10-13  how many bits follow, which hold a coefficient; 0 if it is zero
//   bit 14      set if a sound file does not have this symbol
//   bits 16-22  by how much the place in the block advances, including this coefficient; kWholeBlock: to its end
// or, with bit 31, a link to a table of the second level:
//   bits 0-4    32 less the number of bits that choose its entry
//   bits 8-23   where that table begins, from the first entry of the second level
inline constexpr uint32_t kLink = 1u << 31, kUnsound = 1u << 14;
inline constexpr uint32_t kWholeBlock = kBlockSize;

JAXDALI_PORTABLE uint32_t TotalLength(uint32_t entry) { return entry & 31; }
JAXDALI_PORTABLE uint32_t CodeLength(uint32_t entry) { return entry >> 5 & 31; }
JAXDALI_PORTABLE uint32_t ValueLength(uint32_t entry) { return entry >> 10 & 15; }
JAXDALI_PORTABLE uint32_t Advance(uint32_t entry) { return entry >> 16 & 127; }

// The tables of a file. Its components form at most two classes that share tables: usually luma and chroma.
inline constexpr int kClasses = 2;
inline constexpr int kFirstBits = 9;  // the bits that choose an entry of the first level
inline constexpr uint32_t kFirstLevel = 1u << kFirstBits;
inline constexpr uint32_t kSecondLevelAt = kClasses * 2 * kFirstLevel;
inline constexpr uint32_t kSecondLevel = 1024;
// For each block of an MCU: in bits 0-3 the next block; in bits 8-31 where its class's tables begin, DC first, then AC.
inline constexpr uint32_t kOrderAt = kSecondLevelAt + kSecondLevel;
inline constexpr uint32_t kMostBlocks = 16;  // in an MCU; the state of a decoder has four bits for them
inline constexpr uint32_t kTableWords = kOrderAt + kMostBlocks;

using TableSet = std::array<uint32_t, kTableWords>;

// Returns the number of luma blocks in an MCU; each chroma component has one.
inline int LumaBlocks(Sampling sampling) {
  constexpr int kBlocks[] = {1, 2, 2, 4, 4};
  return kBlocks[static_cast<int>(sampling)];
}
inline int BlocksOfMcu(const Header& image) {
  return image.components == 1 ? 1 : LumaBlocks(image.sampling) + image.components - 1;
}

// Returns false if the file has more classes, or more long codes, than there is room for, or codes that are not valid
// Huffman codes.
bool MakeTables(const Header& image, TableSet* tables) noexcept;

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_TABLES_H_
