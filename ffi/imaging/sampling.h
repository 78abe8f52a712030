// The sums of resampling: weighted rows of source pixels, then weighted pixels of such a row.
//
// A sum is float32, in ascending order of source pixels, with each product and each sum rounded; columns (the vertical
// axis) first, then rows. So a result has exactly one value, whatever computes it: tests/support/image_reference.py and
// calls/decode_resample/kernels.cu compute the same.
#ifndef JAXDALI_IMAGING_SAMPLING_H_
#define JAXDALI_IMAGING_SAMPLING_H_

#include <cstdint>

#include "imaging/axis_weights.h"

namespace jaxdali::cpu {

// This many rows of sums are weighed together, if there are as many.
inline constexpr int64_t kRowsAtOnce = 4;

// Rows of sums have this many extra floats before and after, which may be read, and are finite if rows are padded.
inline constexpr int64_t kSumsMargin = 32;

// Adds up `count` source rows, `stride` bytes apart, into `length` sums.
void SumRows(const uint8_t* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums);
void SumRows(const float* source, int64_t stride, const float* weights, int64_t count, int64_t length, float* sums);

// Up to kRowsAtOnce rows of sums, `stride` floats apart. Source pixel j of the axis begins at origin[j * step]; `step`
// is negative where the axis is mirrored.
struct SumsRows {
  const float* origin;
  int64_t stride;
  int64_t count;
  int64_t channels;
  int64_t step;
  // The sums and their margins are finite, so weights of 0 after a pixel's own change nothing.
  bool is_padded;
};

// Weighs pixels of each row of sums into as many pixels as `columns` has. Rows of results are `stride` floats apart,
// and have room for one extra float.
void SumColumns(const SumsRows& sums, const AxisWeights& columns, float* row, int64_t stride);

// Rounds to the nearest integer, halves away from zero, from 0 to `most`, at most 255; NaN becomes 0.
void RoundToLevels(const float* row, int64_t length, int32_t most, uint8_t* levels);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_SAMPLING_H_
