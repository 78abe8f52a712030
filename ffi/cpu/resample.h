// Resizes pixels with the antialiased triangular filter, and stores what a table says of each.
//
// Along an axis of `in` source pixels and `out` results, result i weighs source pixel j with
//   max(0, reach - |(2i + 1) * in - out - 2 * out * j|),   reach = 2 * max(in, out);
// what this gives for pixels beyond an edge counts for the pixel at the edge. Each weight is divided by their sum. All
// of that is integer arithmetic up to the division, which is one of two numbers rounded to float32. Sums are float32,
// j ascending, product and sum each rounded; columns (the vertical axis) first, then rows; the result is rounded to
// uint8, halves up. So a result is one number, whatever computes it: jaxdali/image/reference.py does, too.
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
