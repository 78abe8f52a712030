// The sums of resampling: weighted rows of source pixels, then weighted pixels of such a row of sums.
//
// A sum is float32 and adds in ascending order of source pixels, with each product and each sum rounded; the vertical
// axis comes first, then the horizontal one. So a result has exactly one value, whatever computes it:
// tests/support/image_reference.py and calls/decode_resample/kernels.cu compute the same.
#ifndef JAXDALI_IMAGING_SAMPLING_H_
#define JAXDALI_IMAGING_SAMPLING_H_

#include <cstdint>

#include "imaging/axis_weights.h"

namespace jaxdali::cpu {

// SumColumns handles this many rows of sums together, if there are as many.
inline constexpr int64_t kRowsAtOnce = 4;

// Rows of sums have this many extra floats before and after them. These may be read, and are finite if rows are padded.
inline constexpr int64_t kSumsMargin = 32;

// Add up `count` weighted source rows, `stride` bytes apart, into `length` sums.
void SumRows(const uint8_t* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums);
void SumRows(const float* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums);

// Up to kRowsAtOnce rows of sums, `stride` floats apart. Source pixel j of the axis begins at origin[j * step]; `step`
// is negative if the axis is mirrored.
struct SumsRows {
  const float* origin;
  int64_t stride;
  int64_t count;
  int64_t channels;
  int64_t step;
  // Whether the sums and their margins are finite, so that weights of 0 after a pixel's own change nothing.
  bool is_padded;
};

// Makes each row's results, as many as `columns` has, by weighing the pixels of its row of sums. Rows of results are
// `stride` floats apart and need room for one extra float.
void SumColumns(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride);

// Rounds to the nearest integer, halves away from zero, and clamps to 0 ... `most`, at most 255; NaN becomes 0.
void RoundToLevels(const float* row, int64_t length, int32_t most, uint8_t* levels);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_SAMPLING_H_
