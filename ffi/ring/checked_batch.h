// The checked records of a complete slot: the only place where what workers wrote about their samples becomes memory
// addresses.
#ifndef JAXDALI_RING_CHECKED_BATCH_H_
#define JAXDALI_RING_CHECKED_BATCH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ring/control.h"
#include "ring/ring.h"

namespace jaxdali::host {

// Contiguous samples of one type and shape.
struct DenseLayout {
  uint64_t offset;  // of sample 0
  uint8_t dtype;
  std::vector<int64_t> dims;
};

struct CheckedBatch {
  uint32_t samples;
  uint64_t used;  // bytes of the slot; all samples lie below
  // One per output; empty if its samples are not dense, or are files.
  std::vector<std::optional<DenseLayout>> dense;
  // [outputs][batch_size], if some output is not dense: its samples; without samples, what one would look like.
  std::vector<SampleRecord> records;
};

// Reads each record once, and checks the copy. Every sample of the result lies in the first `capacity` bytes of the
// slot, at a multiple of its element's size (files: of kAlignment), has a known type, and a size that is the product of
// its extents. Throws RingDamaged.
CheckedBatch ReadBatch(const Ring& ring, uint32_t slot, uint64_t capacity);

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_CHECKED_BATCH_H_
