// What kernels know of the scans of progressive files.
//
// Such a scan holds some bits of some coefficients of its blocks. Where a block's bits begin is known only after those
// of all blocks before it; in a refinement, how many they are depends on which of the block's coefficients are known
// not to be zero. So one warp walks through a scan (walk.h) and notes only that: where the bits of each block begin,
// and a mask of its coefficients that are not zero. Then all blocks' coefficients are read at once (gather.h).
//
// Blocks have two orders. In that of MCUs, in which coefficients are stored, all components take turns. In the raster
// order of a component, in which scans of one component are, blocks that lie wholly outside of the image are left out.
#ifndef JAXDALI_JPEG_SCRIPT_H_
#define JAXDALI_JPEG_SCRIPT_H_

#include <cstdint>

#include "base/portable.h"
#include "jpeg/file_header.h"

namespace jaxdali::jpeg {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;
// A flag for where a block's bits begin: its refinement consists only of corrections.
inline constexpr uint32_t kOnlyCorrections = 1u << 31;
// How many blocks of a scan are walked together; other scans learn that they are done.
inline constexpr uint32_t kBlocksWalked = 32;
// How many blocks one block of threads gathers.
inline constexpr uint32_t kBlocksGathered = 128;

enum class ScanKind : uint8_t { kDcFirst, kDcRefine, kFirst, kRefine };

// A table of Huffman codes as the file stores it.
struct Codes {
  uint8_t counts[16], symbols[256];
};

// A table to look codes up, made of `Codes`.
inline constexpr uint32_t kLookupBits = 10, kLongestCode = 16, kLongCodes = kLongestCode - kLookupBits;
struct alignas(16) Lookup {
  uint16_t entries[1u << kLookupBits];  // by a code's first bits: its symbol, and its length above; 0 if it is longer
  uint32_t limits[kLongCodes];          // for longer ones, by length: the first 16 bits that are beyond them,
  int32_t offsets[kLongCodes];          // and the index of a symbol, less its code
  uint8_t symbols[256];
};

JAXDALI_PORTABLE uint32_t FourBits(uint32_t packed, uint32_t index) { return packed >> (index * 4) & 15; }

struct ScriptScan {
  uint32_t picture, stream;
  ScanKind kind;
  uint8_t component;  // if it has only one
  uint8_t components;
  uint8_t first, last, low;
  uint8_t most_bits;   // of a coefficient, or a difference; 1 in refinements
  uint8_t mcu_blocks;  // in an MCU of the scan; 1 if it has one component
  // For each of these, four bits: its position in an MCU of the picture, its component, and its table in `lookups`.
  uint32_t places, components_of, tables;
  uint32_t lookups[kMostComponents];  // the indices of tables
  uint32_t lookups_count;
  uint32_t starts;                  // of the blocks' bits, unless it is of DC
  uint32_t awaited, awaited_count;  // the scans that must have been walked
};

// The scans of a picture: first those of DC, in the file's order, then those of each component, each after those that
// it refines.
struct Script {
  uint32_t picture;
  uint32_t dc_scans, dc_scans_count;
  uint32_t scans[kMostComponents], scans_count[kMostComponents];
  uint32_t masks[kMostComponents];                            // the index of the first block's mask
  uint32_t across[kMostComponents], blocks[kMostComponents];  // in raster order
};

// A segment of a scan, which one warp walks through.
struct Walk {
  uint32_t scan, segment;
};

// A group of kBlocksGathered blocks, by its first block in raster order.
struct Gathering {
  uint32_t script, component, first;
};

struct Progressive {
  uint32_t codes_count, scans_count, walks_count, gatherings_count;
  // Made by the host.
  const Codes* codes;
  const ScriptScan* scans;
  const Script* scripts;
  const Walk* walks;  // each after those that it waits for
  const Gathering* gatherings;
  // Made by the device.
  Lookup* lookups;     // one per table of codes
  uint64_t* masks;     // of coefficients that are not zero, one per block and script; initially zeros
  uint32_t* progress;  // how many of a scan's blocks were walked; initially zeros
  uint32_t* begun;     // how many walks were; initially zero
  uint32_t* starts;    // where a block's bits begin, from the scan's first; kNone if it has none
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_SCRIPT_H_
