// The blobs of labelled masks: pixels of one label that touch each other along an axis.
#ifndef JAXDALI_CALLS_BLOBS_CPU_BLOBS_H_
#define JAXDALI_CALLS_BLOBS_CPU_BLOBS_H_

#include <cstdint>
#include <vector>

namespace jaxdali::cpu {

// Writes for each pixel the index (in C order) of the first pixel of its blob; -1 where `held` is false.
//   shape    of the mask; at most 2**31 - 1 pixels
void FindBlobs(const std::vector<int64_t>& shape, const int32_t* labels, const bool* held, int32_t* found);

// Writes each blob's box extents, [pixels, axes], at the index of its first pixel; zeros elsewhere.
//   found    as FindBlobs leaves it; values that are not an index are skipped
// Returns false if out of memory.
bool MeasureBlobs(const std::vector<int64_t>& shape, const int32_t* found, int32_t* extents) noexcept;

// Marks the first pixels of the `most` blobs with the largest boxes; among equal boxes the blobs that come first win.
//   found    as FindBlobs leaves it; values that are not an index are skipped
//   roots    whether a pixel is the first of a blob that may be kept
// Returns false if out of memory.
bool KeepLargestBlobs(const std::vector<int64_t>& shape, const int32_t* found, const bool* roots, int64_t most,
                      bool* kept) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_BLOBS_CPU_BLOBS_H_
