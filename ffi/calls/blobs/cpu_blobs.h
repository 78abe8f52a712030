// The blobs of labelled masks: pixels of one label that touch each other along an axis.
#ifndef JAXDALI_CALLS_BLOBS_CPU_BLOBS_H_
#define JAXDALI_CALLS_BLOBS_CPU_BLOBS_H_

#include <cstdint>
#include <vector>

namespace jaxdali::cpu {

// Of each pixel the place of its blob's first one, in C's order; -1 where `held` is false.
//   shape    of the mask; at most 2**31 - 1 pixels
void FindBlobs(const std::vector<int64_t>& shape, const int32_t* labels, const bool* held, int32_t* found);

// Of each blob the extents of its box, [pixels, axes], at the place of its first pixel; zeros elsewhere.
//   found    as FindBlobs leaves it; what is no place is left out
// False: there was no memory.
bool MeasureBlobs(const std::vector<int64_t>& shape, const int32_t* found, int32_t* extents) noexcept;

// Which pixels are the first of one of the `most` blobs with the largest boxes; of equal ones of those that come first.
//   found    as FindBlobs leaves it; what is no place is left out
//   roots    of each pixel whether it is the first of a blob that may be kept
// False: there was no memory.
bool KeepLargestBlobs(const std::vector<int64_t>& shape, const int32_t* found, const bool* roots, int64_t most,
                      bool* kept) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_BLOBS_CPU_BLOBS_H_
