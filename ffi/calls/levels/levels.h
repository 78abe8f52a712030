// What the calls on levels compute: how often levels occur in parts of images, and levels replaced by what tables say.
#ifndef JAXDALI_CALLS_LEVELS_LEVELS_H_
#define JAXDALI_CALLS_LEVELS_LEVELS_H_

#include <cstdint>

#include "base/host_device.h"
#include "base/per_sample.h"

namespace jaxdali {

inline constexpr int64_t kLevels = 256;

// Images in the corner of their canvases.
struct LevelImages {
  const uint8_t* pixels;  // [samples, height, width, channels]
  int64_t samples, height, width, channels;
  PerSample<int32_t> extents;  // [2]: height and width of an image; clamped to its canvas
};

// Mirrors a position beyond the end of an axis; the extent is positive.
JAXDALI_HOST_DEVICE inline int64_t Mirrored(int64_t place, int64_t extent) {
  if (place < extent) return place;
  if (extent == 1) return 0;
  const int64_t period = 2 * (extent - 1), at = place % period;
  return at < extent ? at : period - at;
}

// How often levels occur in tiles of images. Beyond its edge, an image continues mirrored, without repeating its last
// pixel.
struct LevelCounts {
  LevelImages images;
  int64_t rows, columns;     // of tiles
  PerSample<int32_t> tiles;  // [2]: height and width of a tile; clamped to 1 ... twice the canvas
  int32_t* result;           // [samples, rows, columns, channels, kLevels]
};

struct LevelLookup {
  LevelImages images;
  const uint8_t* tables;  // [samples, channels, kLevels]
  uint8_t* result;        // shaped like the images; zeros beyond their extents
};

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_LEVELS_LEVELS_H_
