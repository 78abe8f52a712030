// What the threads that make a tile of a result share.
#ifndef JAXDALI_CALLS_IMAGES_TILES_TILE_SHARED_H_
#define JAXDALI_CALLS_IMAGES_TILES_TILE_SHARED_H_

#include <cstdint>

#include "base/team.h"
#include "calls/images/tiles/axis_taps.h"
#include "calls/images/tiles/task.h"

namespace jaxdali::images {

// A tile is made in bands, and a thread makes one pixel of each; the axes are worked out once for all bands.
inline constexpr int kTileRows = 64;
inline constexpr int kTileColumns = 32;
inline constexpr int kBandRows = 8;
static_assert(kBandRows * kTileColumns == kTeam, "a thread makes a pixel of a band");
static_assert(kTileRows % kBandRows == 0, "bands are whole");
// The most source rows, and source columns, that may contribute to a result whose weights are all kept at a time.
inline constexpr int kMostWeights = 32;
// Source columns whose rows are summed up at a time, before the sums are combined: a multiple of 4, so that they are
// whole words of 4 levels.
inline constexpr int kChunk = 96;
// The same if more pixels contribute to a result than kMostWeights.
inline constexpr int kNarrowChunk = 32;
static_assert(kBandRows * kNarrowChunk == kTeam, "a thread sums up a source column of a band");
static_assert(kNarrowChunk == kMostWeights, "weights of a chunk are kept where all of a result's are");
// The most channels that are made at a time.
inline constexpr int kMostTogether = 4;

// The form of a kernel: whether source pixels are 8-bit levels, and how many channels are made at a time. A `kTogether`
// of 3 means all channels.
template <bool kAreLevels, int kTogether>
struct TileForm {
  static constexpr bool are_levels = kAreLevels;
  static constexpr int together = kTogether;
};

struct TileShared {
  // About the image.
  ImageGeometry geometry;
  AxisPlan rows, columns;
  PixelProgram program;
  const float* constants;
  bool is_made;     // the image is OK, and not empty
  bool is_of_runs;  // see runs.h
  bool is_raw;      // pixels are copied as they are
  bool has_levels;
  // The bits that each channel and level becomes: those of the float that the instructions before sampling give; for an
  // image made in runs, those of the result's element.
  uint32_t levels[3][256];

  // About the tile.
  bool copies;  // is_raw, and each result is one pixel
  uint32_t row_taps_most, column_taps_most;
  uint32_t begin, end;  // source columns that it reads
  AxisTaps row_taps[kTileRows], column_taps[kTileColumns];
  float row_weights[kTileRows][kMostWeights];
  float column_weights[kTileColumns][kMostWeights + 1];  // one more, which avoids bank conflicts
  float sums[kBandRows][kChunk * kMostTogether];
  float results[kBandRows][kTileColumns][kMostTogether];
};

// Return the number of tiles of a result: in a row of tiles, and in all.
JAXDALI_PORTABLE int64_t TilesAcross(const ImageResult& result) {
  return (result.width + kTileColumns - 1) / kTileColumns;
}
JAXDALI_PORTABLE int64_t TilesOf(const ImageResult& result) {
  return TilesAcross(result) * ((result.height + kTileRows - 1) / kTileRows);
}

// A thread's part of a band: a pixel of the result, which may lie outside of the resized image.
struct Spot {
  int row, column;    // in the tile
  int64_t top, left;  // in the result
  bool exists;        // it lies in the result's array
  bool is_inside;     // it lies in the image's own extents
};

struct Tile {
  const RecipeTask* task;
  SourceImage source;
  int64_t top, left;  // in the result

  // Returns a thread's spot; `band` is the band's first row in the tile.
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

// Returns which requested pixel along an axis belongs to a position in the result; -1 if none does.
JAXDALI_PORTABLE int64_t AskedAt(const AxisGeometry& axis, int64_t place) {
  if (place >= axis.size) return -1;
  const int64_t index = axis.Place(place) - axis.Front();
  return index >= 0 && index < axis.Inside() ? index : -1;
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_TILE_SHARED_H_
