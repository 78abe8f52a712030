// Counts how often levels occur in parts of images, and replaces levels by what tables say.
#ifndef JAXDALI_CALLS_LEVELS_CPU_LEVELS_H_
#define JAXDALI_CALLS_LEVELS_CPU_LEVELS_H_

#include <cstdint>

#include "calls/levels/levels.h"

namespace jaxdali::cpu {

// Counts the levels of a row of tiles of a sample; `part` is below samples * rows. Returns false if out of memory.
bool CountLevels(const LevelCounts& counts, int64_t part) noexcept;

// Returns the number of parts; they may be made concurrently.
int64_t LookupParts(const LevelLookup& lookup);
void LookUp(const LevelLookup& lookup, int64_t part) noexcept;

// For each position along an axis: the table before it, the table behind it, and the share of the latter.
struct TableShares {
  const int32_t *before, *behind;  // [samples or 1, extent]; clamped to the tables
  const float* share;
  int64_t rows, extent;

  int64_t Begin(int64_t sample) const { return rows == 1 ? 0 : sample * extent; }
};

struct TileMix {
  LevelImages images;
  int64_t rows, columns;  // of tiles
  const uint8_t* tables;  // [samples, rows, columns, channels, kLevels]
  TableShares along_rows, along_columns;
  uint8_t* result;  // shaped like the images; zeros beyond their extents
};

// The same for a mix: a pixel becomes the weighted mean of its entries in the four tables around it, columns first.
// Each product and each sum is rounded; levels are rounded, halves to even.
int64_t MixParts(const TileMix& mix);
void Mix(const TileMix& mix, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_LEVELS_CPU_LEVELS_H_
