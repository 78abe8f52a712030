// One row of `geometry` and `regions`, widened to 64 bits.
#ifndef JAXDALI_RECIPES_IMAGE_GEOMETRY_H_
#define JAXDALI_RECIPES_IMAGE_GEOMETRY_H_

#include <cstdint>

#include "base/host_device.h"
#include "recipes/axis_plan.h"
#include "recipes/recipes.h"
#include "rows/windows.h"

namespace jaxdali {

// One axis of a recipe for one image, in pixels.
struct AxisGeometry {
  int64_t start;     // of the hard window
  int64_t in;        // its extent
  bool is_mirrored;  // before it is resized
  int64_t out;       // the extent to resize to
  float low, high;   // the soft window
  int64_t asked;     // where the result begins in the resized image; negative if before it
  int64_t size;      // of the result
  bool flips;        // the result is mirrored

  // Pixels of the result before the resized image; the first pixel of the resized image in the result; how many there
  // are.
  JAXDALI_HOST_DEVICE int64_t Front() const {
    const int64_t front = asked < 0 ? -asked : 0;
    return front < size ? front : size;
  }
  JAXDALI_HOST_DEVICE int64_t Begin() const { return asked > 0 ? asked : 0; }
  JAXDALI_HOST_DEVICE int64_t Inside() const {
    const int64_t end = asked + size < out ? asked + size : out;
    return end > Begin() ? end - Begin() : 0;
  }
  // Returns where pixel `index` of the unmirrored result is stored, and equally which of its pixels is stored there.
  JAXDALI_HOST_DEVICE int64_t Place(int64_t index) const { return flips ? size - 1 - index : index; }
};

struct ImageGeometry {
  AxisGeometry y, x;
  Filter min_filter, mag_filter;
  bool antialias;

  JAXDALI_HOST_DEVICE Window HardWindow() const { return {y.start, x.start, y.in, x.in}; }
  JAXDALI_HOST_DEVICE AxisRequest Request(const AxisGeometry& axis) const {
    return {axis.in, axis.out, axis.low, axis.high, min_filter, mag_filter, antialias, axis.Begin(), axis.Inside()};
  }
};

// Whether the hard window lies within an image of these extents; and whether the result fits into its array.
JAXDALI_HOST_DEVICE inline bool HasWindowWithin(const ImageGeometry& geometry, int64_t height, int64_t width) {
  return LiesWithin(geometry.HardWindow(), height, width);
}
JAXDALI_HOST_DEVICE inline bool FitsInto(const ImageGeometry& geometry, int64_t height, int64_t width) {
  return geometry.y.size >= 0 && geometry.x.size >= 0 && geometry.y.size <= height && geometry.x.size <= width;
}

JAXDALI_HOST_DEVICE inline ImageGeometry LoadGeometry(const int32_t* g, const float* region) {
  ImageGeometry geometry = {};
  geometry.y = {g[kGeometryTop], g[kGeometryHeight], g[kMirrorY] != 0, g[kExtentY],           region[kLowY],
                region[kHighY],  g[kResultTop],      g[kResultHeight], g[kResultMirrorY] != 0};
  geometry.x = {g[kGeometryLeft], g[kGeometryWidth], g[kMirrorX] != 0, g[kExtentX],           region[kLowX],
                region[kHighX],   g[kResultLeft],    g[kResultWidth],  g[kResultMirrorX] != 0};
  geometry.min_filter = static_cast<Filter>(g[kMinFilter]);
  geometry.mag_filter = static_cast<Filter>(g[kMagFilter]);
  geometry.antialias = g[kAntialias] != 0;
  return geometry;
}

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_IMAGE_GEOMETRY_H_
