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
// Source columns of a chunk, and source rows whose weights are kept at a time; also the most weights of a result that
// is summed up by a thread alone.
inline constexpr int kChunk = 32;
// The most pixels that weigh in such a result.
inline constexpr int64_t kMostDirect = 64;

// Which kernel: source pixels that are levels of 8 bits, and channels at a time. `kTogether` of 3 are all channels.
template <bool kAreLevels, int kTogether>
struct TileForm {
  static constexpr bool are_levels = kAreLevels;
  static constexpr int together = kTogether;
};

struct TileShared {
  ImageGeometry geometry;
  AxisPlan rows, columns;
  PixelProgram program;
  const float* constants;
  bool has_levels;  // what the steps before sampling make of a level is in `levels`
  float levels[3][256];
  bool is_made;  // the image is OK, and not empty
  bool is_raw;   // pixels are copied as they are
  int64_t row_taps_most, column_taps_most;
  int64_t begin, end;  // source columns that the tile reads
  AxisTaps row_taps[kTileRows], column_taps[kTileColumns];
  float row_weights[kTileRows][kChunk];
  float column_weights[kTileColumns][kChunk + 1];  // one more, for the banks
  float sums[kBandRows][kChunk][4];
  float results[kBandRows][kTileColumns][4];
};

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
