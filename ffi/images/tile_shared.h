// What the threads that make a tile of a result share.
#ifndef JAXDALI_IMAGES_TILE_SHARED_H_
#define JAXDALI_IMAGES_TILE_SHARED_H_

#include <cstdint>

#include "images/axis_taps.h"
#include "images/task.h"
#include "jpeg/team.h"

namespace jaxdali::images {

// A tile is made in bands, of which a thread makes a pixel each: what is found out about its axes is for all of them.
inline constexpr int kTileRows = 64;
inline constexpr int kTileColumns = 32;
inline constexpr int kBandRows = 8;
static_assert(kBandRows * kTileColumns == jpeg::kTeam, "a thread makes a pixel of a band");
static_assert(kTileRows % kBandRows == 0, "bands are whole");
// The most source rows, and source columns, that weigh in a result whose weights are all kept at a time.
inline constexpr int kMostWeights = 32;
// Source columns whose rows are summed up at a time, before those sums are: a whole number of words of 4 levels.
inline constexpr int kChunk = 96;
// The same where more pixels weigh in a result than weights are kept.
inline constexpr int kNarrowChunk = 32;
static_assert(kBandRows * kNarrowChunk == jpeg::kTeam, "a thread sums up a source column of a band");
static_assert(kNarrowChunk == kMostWeights, "weights of a chunk are kept where all of a result's are");
// The most channels at a time.
inline constexpr int kMostTogether = 4;

// Which kernel: source pixels that are levels of 8 bits, and channels at a time. `kTogether` of 3 are all channels.
template <bool kAreLevels, int kTogether>
struct TileForm {
  static constexpr bool are_levels = kAreLevels;
  static constexpr int together = kTogether;
};

struct TileShared {
  // Of the image.
  ImageGeometry geometry;
  AxisPlan rows, columns;
  PixelProgram program;
  const float* constants;
  bool is_made;     // it is OK, and not empty
  bool is_of_runs;  // see runs.h
  bool is_raw;      // pixels are copied as they are
  bool has_levels;
  // Of each channel and level, bits: the float that the instructions before sampling make of it; of an image of runs,
  // the element of the result.
  uint32_t levels[3][256];

  // Of the tile.
  bool copies;  // is_raw, and each result is one pixel
  uint32_t row_taps_most, column_taps_most;
  uint32_t begin, end;  // source columns that it reads
  AxisTaps row_taps[kTileRows], column_taps[kTileColumns];
  float row_weights[kTileRows][kMostWeights];
  float column_weights[kTileColumns][kMostWeights + 1];  // one more, for the banks
  float sums[kBandRows][kChunk * kMostTogether];
  float results[kBandRows][kTileColumns][kMostTogether];
};

// Tiles of a result.
JAXDALI_PORTABLE int64_t TilesAcross(const ImageResult& result) {
  return (result.width + kTileColumns - 1) / kTileColumns;
}
JAXDALI_PORTABLE int64_t TilesOf(const ImageResult& result) {
  return TilesAcross(result) * ((result.height + kTileRows - 1) / kTileRows);
}

// What a thread makes of a band: a pixel of the result, which is the resized image's at (y, x) of those that are asked
// for, or none of them.
struct Spot {
  int row, column;    // in the tile
  int64_t top, left;  // in the result
  bool exists;        // the array reaches so far
  bool is_inside;     // the result does
};

struct Tile {
  const RecipeTask* task;
  SourceImage source;
  int64_t top, left;  // in the result

  // `band`: its first row in the tile.
  JAXDALI_PORTABLE Spot SpotOf(const TileShared& shared, int band, uint32_t thread) const {
    Spot spot;
    spot.row = band + static_cast<int>(thread) / kTileColumns;
    spot.column = static_cast<int>(thread) % kTileColumns;
    spot.top = top + spot.row;
    spot.left = left + spot.column;
    spot.exists = spot.top < task->result.height && spot.left < task->result.width;
    spot.is_inside =
        shared.is_made && spot.top < shared.geometry.y.size && spot.left < shared.geometry.x.size && spot.exists;
    return spot;
  }
};

// Which of the pixels that are asked for along an axis is at a place of the result; -1: none.
JAXDALI_PORTABLE int64_t AskedAt(const AxisGeometry& axis, int64_t place) {
  if (place >= axis.size) return -1;
  const int64_t index = axis.Place(place) - axis.Front();
  return index >= 0 && index < axis.Inside() ? index : -1;
}

}  // namespace jaxdali::images

#endif  // JAXDALI_IMAGES_TILE_SHARED_H_
