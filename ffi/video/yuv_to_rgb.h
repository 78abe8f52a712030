// Converts decoded video frames to RGB, bit for bit like FFmpeg's libswscale with SWS_BILINEAR, SWS_FULL_CHR_H_INT and
// SWS_ACCURATE_RND. libswscale has no vector code for interleaved pixels, and took two thirds of the time of reading a
// clip.
#ifndef JAXDALI_VIDEO_YUV_TO_RGB_H_
#define JAXDALI_VIDEO_YUV_TO_RGB_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali::video {

// One channel of a frame, 8 bits per value.
struct Plane {
  const uint8_t* first;
  size_t stride;  // bytes from one line to the next
  const uint8_t* line(size_t y) const { return first + y * stride; }
};

// A planar frame. Where chroma is halved, its planes have half of luma's lines or columns.
struct Frame {
  Plane luma, blue, red;
  size_t height, width;
  bool halved_lines, halved_columns;
  // If columns are halved: chroma lies at the left one of two columns, as in H.264; else between the two, as in JPEG.
  bool at_left;
};

// Factors in units of 2^-13 of a level; `black` is the luma of black in units of 2^-9.
struct ColorMatrix {
  int32_t luma, black, red_to_red, red_to_green, blue_to_green, blue_to_blue;
};

// Writes `height` x `width` x 3 bytes. An axis along which chroma is halved must have an even extent: otherwise
// libswscale's weights of chroma are not quarters.
void ToRgb(const Frame& frame, const ColorMatrix& matrix, uint8_t* rgb);

}  // namespace jaxdali::video

#endif  // JAXDALI_VIDEO_YUV_TO_RGB_H_
