// Pastes regions of images onto canvases of zeros, later ones over earlier ones.
#ifndef JAXDALI_CALLS_PASTE_CPU_PASTING_H_
#define JAXDALI_CALLS_PASTE_CPU_PASTING_H_

#include <cstdint>
#include <vector>

namespace jaxdali::cpu {

// Images of the same extents, [samples, height, width], with Pasting::pixel_bytes bytes per pixel.
struct PastedImages {
  const uint8_t* pixels;
  int64_t samples, height, width;
};

struct Pasting {
  // One source for all regions, or one for each region.
  std::vector<PastedImages> sources;
  int64_t pixel_bytes;
  int64_t canvases, height, width, regions;
  const int32_t* ids;      // [canvases, regions]: the index of an image of the source; clamped to those that exist
  const int32_t* starts;   // [canvases, regions, 2]: row and column of the image where a region begins
  const int32_t* extents;  // [canvases, regions, 2]: height and width of a region
  const int32_t* places;   // [canvases, regions, 2]: row and column of the canvas where a region is pasted
  const int32_t* counts;   // [canvases]: how many of the regions are pasted
  uint8_t* result;         // [canvases, height, width]
};

// Returns the number of parts; they may be made concurrently. No extent of a canvas may be 0.
int64_t PastingParts(const Pasting& pasting);

// Makes one part. A region is cut off where it leaves the canvas, and is zeros where it leaves its image.
void Paste(const Pasting& pasting, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_PASTE_CPU_PASTING_H_
