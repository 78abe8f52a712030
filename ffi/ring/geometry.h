// How a ring is laid out, and what was requested of its slots. A process knows this itself, and does not read it back
// from memory that others can write.
#ifndef JAXDALI_RING_GEOMETRY_H_
#define JAXDALI_RING_GEOMETRY_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "ring/control.h"
#include "ring/slot_size.h"

namespace jaxdali::host {

// Where the first slot's control block begins.
inline constexpr uint64_t kSlotsOffset = RoundUp(sizeof(RingHeader), 64);

struct Geometry {
  uint32_t slots, chunks, outputs, batch_size;
  uint64_t stride;  // bytes of address space per slot
  // Offsets within a slot's control block, and its size.
  uint64_t words, progress, plans, records, control_bytes;

  Geometry(uint32_t slots, uint32_t chunks, uint32_t outputs, uint32_t batch_size, uint64_t stride)
      : slots(slots), chunks(chunks), outputs(outputs), batch_size(batch_size), stride(stride) {
    words = sizeof(SlotHeader);
    progress = words + sizeof(uint64_t) * chunks;
    plans = RoundUp(progress + sizeof(uint32_t) * chunks, 64);
    records = RoundUp(plans + sizeof(OutputPlan) * outputs, 64);
    control_bytes = RoundUp(records + sizeof(SampleRecord) * outputs * batch_size, 64);
  }

  uint64_t control_size() const { return RoundUp(kSlotsOffset + control_bytes * slots, 4096); }
  uint64_t data_size() const { return stride * slots; }
};

// The batch that a slot was published for, and how much of the slot readers are shown, which only grows.
struct SlotBook {
  uint64_t ticket = 0;
  int64_t epoch = 0;
  int64_t iteration = 0;
  int64_t first_sample = 0;
  uint32_t samples = 0;  // that were requested
  uint32_t chunks = 0;
  bool wanted = false;           // the batch has not been given up
  uint64_t spare = 0;            // bytes that might become holes
  std::vector<uint8_t> encoded;  // of each output
  std::atomic<uint64_t> capacity{0};
};

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_GEOMETRY_H_
