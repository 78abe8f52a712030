// Resizes pixels with the antialiased triangular filter, and stores what a table says of each.
//
// Weights are whole numbers up to one division, of two numbers rounded to float32: see common/resample_axis.h. Sums are
// float32, source pixels ascending, product and sum each rounded; columns (the vertical axis) first, then rows; the
// result is rounded to uint8, halves up. So a result is one number, whatever computes it: jaxdali/image/reference.py
// does, and so does gpu/resample.cu.
#ifndef JAXDALI_CPU_RESAMPLE_H_
#define JAXDALI_CPU_RESAMPLE_H_

#include <cstdint>

namespace jaxdali::cpu {

// RGB pixels, rows `stride` bytes apart.
struct PixelView {
  const uint8_t* pixels;
  int64_t height;  // at least 1
  int64_t width;   // at least 1
  int64_t stride;
};

// A result of `height` x `width` elements of `element_size` bytes a channel, dense: [height, width, 3], or
// [3, height, width].
struct ResampleTarget {
  void* data;
  int64_t height;
  int64_t width;
  int element_size;  // 1, 2 or 4
  bool channels_first;

  int64_t Bytes() const { return height * width * 3 * element_size; }
};

// Resizes `source` to the target's extents, mirrors it left to right if `flip`, and writes for level v of channel c
// element [c][v] of `table`, [3, 256] elements. Throws std::bad_alloc.
void Resample(const PixelView& source, bool flip, const void* table, const ResampleTarget& target);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_RESAMPLE_H_
