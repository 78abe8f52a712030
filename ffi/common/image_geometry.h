// One row of `geometry` and `regions`, in 64 bits.
#ifndef JAXDALI_COMMON_IMAGE_GEOMETRY_H_
#define JAXDALI_COMMON_IMAGE_GEOMETRY_H_

#include <algorithm>
#include <cstdint>

#include "common/axis_weights.h"
#include "common/recipes.h"
#include "common/windows.h"

namespace jaxdali {

// One axis of a recipe for one image, in pixels.
struct AxisGeometry {
  int64_t start;     // of the hard window
  int64_t in;        // its extent
  bool is_mirrored;  // before it is resized
  int64_t out;       // to which extent
  float low, high;   // the soft window
  int64_t asked;     // where the result begins in the resized image; negative: before it
  int64_t size;      // of the result
  bool flips;        // the result is mirrored

  // Pixels of the result in front of the resized image, and within it.
  int64_t Front() const { return std::min(std::max<int64_t>(-asked, 0), size); }
  int64_t Inside() const { return std::max<int64_t>(std::min(asked + size, out) - std::max<int64_t>(asked, 0), 0); }
  // Where pixel `index` of the result, before it is mirrored, is put.
  int64_t Place(int64_t index) const { return flips ? size - 1 - index : index; }
};

struct ImageGeometry {
  AxisGeometry y, x;
  Filter min_filter, mag_filter;
  bool antialias;

  Window HardWindow() const { return {y.start, x.start, y.in, x.in}; }
  AxisRequest Request(const AxisGeometry& axis) const {
    return {axis.in,      axis.out,   axis.low,  axis.high,
            min_filter,   mag_filter, antialias, std::max<int64_t>(axis.asked, 0),
            axis.Inside()};
  }
};

inline ImageGeometry LoadGeometry(const int32_t* g, const float* region) {
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

#endif  // JAXDALI_COMMON_IMAGE_GEOMETRY_H_
