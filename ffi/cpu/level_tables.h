// How often levels occur in parts of images, and images whose levels are replaced by what tables say.
#ifndef JAXDALI_CPU_LEVEL_TABLES_H_
#define JAXDALI_CPU_LEVEL_TABLES_H_

#include <cstdint>

#include "common/level_tables.h"

namespace jaxdali::cpu {

// Counts the levels of a row of tiles of a sample; `part` is one of samples * rows. False: there was no
// memory.
bool CountLevels(const LevelCounts& counts, int64_t part) noexcept;

// How many parts there are, which may be made at the same time.
int64_t LookupParts(const LevelLookup& lookup);
void LookUp(const LevelLookup& lookup, int64_t part) noexcept;

// Of places along an axis which table comes before them, which behind, and the share of that.
struct TableShares {
  const int32_t *before, *behind;  // [samples or 1, extent]; held within the tables
  const float* share;
  int64_t rows, extent;

  int64_t Begin(int64_t sample) const { return rows == 1 ? 0 : sample * extent; }
};

struct TileMix {
  LevelImages images;
  int64_t rows, columns;  // of tiles
  const uint8_t* tables;  // [samples, rows, columns, channels, kLevels]
  TableShares along_rows, along_columns;
  uint8_t* result;  // as the images; zeros beyond their extents
};

// Likewise: a pixel is the mean, by their shares, of what the four tables around it say, columns first; products and
// sums are rounded one by one, and levels to even ones.
int64_t MixParts(const TileMix& mix);
void Mix(const TileMix& mix, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_LEVEL_TABLES_H_
