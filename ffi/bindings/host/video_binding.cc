#include "bindings/host/video_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>

#include <array>

#include "bindings/without_gil.h"
#include "rows/orientation.h"
#include "video/yuv_to_rgb.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

using Lines = nb::ndarray<const uint8_t, nb::ndim<2>, nb::device::cpu>;
using Pixels = nb::ndarray<uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

video::Plane AsPlane(const Lines& lines) {
  if (lines.stride(1) != 1 || lines.stride(0) < static_cast<int64_t>(lines.shape(1))) {
    throw nb::value_error("the values of a line must lie one behind the other");
  }
  return {lines.data(), static_cast<size_t>(lines.stride(0))};
}

// Returns whether chroma has half of luma's lines or columns. Throws unless it has half or all of them.
bool IsHalved(size_t luma, size_t chroma) {
  if (chroma == luma) return false;
  if (chroma * 2 == luma) return true;
  throw nb::value_error("chroma planes must have the lines and columns of luma, or half of them");
}

void YuvToRgb(const Lines& luma, const Lines& blue, const Lines& red, const std::array<int32_t, 6>& matrix,
              bool at_left, const Pixels& out) {
  const size_t height = luma.shape(0), width = luma.shape(1);
  if (out.shape(0) != height || out.shape(1) != width || blue.shape(0) != red.shape(0) ||
      blue.shape(1) != red.shape(1)) {
    throw nb::value_error("out must have the lines and columns of luma, and both chroma planes the same ones");
  }
  if (height == 0 || width == 0) return;
  const video::Frame frame{AsPlane(luma),
                           AsPlane(blue),
                           AsPlane(red),
                           height,
                           width,
                           IsHalved(height, blue.shape(0)),
                           IsHalved(width, blue.shape(1)),
                           at_left};
  const WithoutGil released;
  video::ToRgb(frame, {matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5]}, out.data());
}

using Stored = nb::ndarray<const uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

void CopyOriented(const Stored& pixels, int orientation, const Pixels& out) {
  if (!IsOrientation(orientation)) throw nb::value_error("an orientation is a number from 1 to 8");
  const size_t height = pixels.shape(0), width = pixels.shape(1);
  const bool swaps = SwapsAxes(orientation);
  if (out.shape(0) != (swaps ? width : height) || out.shape(1) != (swaps ? height : width)) {
    throw nb::value_error("out must have the height and width of the pixels in that orientation");
  }
  if (height == 0 || width == 0) return;
  const WithoutGil released;
  cpu::CopyOriented(pixels.data(), static_cast<int64_t>(height), static_cast<int64_t>(width), orientation, out.data(),
                    static_cast<int64_t>(out.shape(1)) * 3);
}

}  // namespace

void BindVideo(nb::module_& m) {
  m.def("yuv_to_rgb", &YuvToRgb, nb::arg("luma").noconvert(), nb::arg("blue").noconvert(), nb::arg("red").noconvert(),
        nb::arg("matrix"), nb::arg("at_left"), nb::arg("out").noconvert());
  m.def("copy_oriented", &CopyOriented, nb::arg("pixels").noconvert(), nb::arg("orientation"),
        nb::arg("out").noconvert());
}

}  // namespace jaxdali::python
