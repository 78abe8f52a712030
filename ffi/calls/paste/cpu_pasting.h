// Pastes regions of images onto canvases of zeros, one over the other.
#ifndef JAXDALI_CALLS_PASTE_CPU_PASTING_H_
#define JAXDALI_CALLS_PASTE_CPU_PASTING_H_

#include <cstdint>
#include <vector>

namespace jaxdali::cpu {

// Images of one extent, [samples, height, width], whose pixels have a given number of bytes.
struct PastedImages {
  const uint8_t* pixels;
  int64_t samples, height, width;
};

struct Pasting {
  // One source for all regions, or one for each region.
  std::vector<PastedImages> sources;
  int64_t pixel_bytes;
  int64_t canvases, height, width, regions;
  const int32_t* ids;      // [canvases, regions]: which image of its source; held within those that there are
  const int32_t* starts;   // [canvases, regions, 2]: row and column of the image where a region begins
  const int32_t* extents;  // likewise its height and width
  const int32_t* places;   // likewise the row and column of the canvas where it is pasted
  const int32_t* counts;   // [canvases]: how many regions there are
  uint8_t* result;         // [canvases, height, width]
};

// The number of parts, which may be made concurrently. No extent of a canvas is 0.
int64_t PastingParts(const Pasting& pasting);

// Makes one part. A region that leaves the canvas is cut off; where it leaves its image it is zeros.
void Paste(const Pasting& pasting, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_PASTE_CPU_PASTING_H_
