// Where samples are stored: at their planned place, or at the slot's tail.
#include <cstring>
#include <stdexcept>
#include <string>

#include "host/ring.h"
#include "host/slot_size.h"

namespace jaxdali::host {

// The planned place of `sample`, if the plan is for samples of this shape. The plan is read once, and the place is in
// the slot whatever the plan says.
bool Ring::PlannedPlace(uint32_t slot, uint32_t output, uint32_t sample, const SampleRecord& shape,
                        uint64_t* offset) const {
  OutputPlan plan;
  CopyOnce(plans(slot) + output, &plan);
  const bool fits = plan.dense && plan.dtype == shape.dtype && plan.ndim == shape.ndim &&
                    plan.size_bytes == shape.size_bytes &&
                    std::memcmp(plan.dims, shape.dims, sizeof(int64_t) * shape.ndim) == 0;
  if (!fits) return false;
  const uint64_t behind = plan.offset > geometry_.stride ? 0 : geometry_.stride - plan.offset;
  if (plan.offset > geometry_.stride || (plan.size_bytes != 0 && sample >= behind / plan.size_bytes)) {
    throw RingDamaged("the plan of output " + std::to_string(output) + " does not lie in slot " + std::to_string(slot),
                      slot, output);
  }
  *offset = plan.offset + plan.size_bytes * sample;
  return true;
}

uint64_t Ring::TakeTail(uint32_t slot, uint64_t size) {
  const uint64_t room = RoundUp(size, kAlignment);
  const uint64_t offset = slot_header(slot)->tail.fetch_add(room, std::memory_order_relaxed);
  Reserve(slot, offset > kLargestSize || room > kLargestSize ? kLargestSize : offset + room);
  return offset;
}

uint8_t* Ring::Place(uint32_t slot, uint32_t output, uint32_t sample, const SampleRecord& shape) {
  uint64_t offset = 0;
  if (!PlannedPlace(slot, output, sample, shape, &offset)) offset = TakeTail(slot, shape.size_bytes);
  SampleRecord& record = records(slot)[geometry_.batch_size * output + sample];
  record = shape;
  record.offset = offset;
  return slot_data(slot) + offset;
}

uint8_t* Ring::PlaceBatch(uint32_t slot, uint32_t output, uint32_t samples, const SampleRecord& shape) {
  uint64_t offset = 0, last = 0;
  const bool planned = samples == 0 ? PlannedPlace(slot, output, 0, shape, &offset)
                                    : PlannedPlace(slot, output, samples - 1, shape, &last);
  if (!planned) {
    offset = TakeTail(slot, shape.size_bytes * samples);
  } else if (samples != 0) {
    offset = last - shape.size_bytes * (samples - 1);
  }
  SampleRecord* const first = records(slot) + geometry_.batch_size * output;
  if (samples == 0) {
    first[0] = shape;
    first[0].empty = 1;
  }
  for (uint32_t sample = 0; sample < samples; ++sample) {
    first[sample] = shape;
    first[sample].offset = offset + shape.size_bytes * sample;
  }
  return slot_data(slot) + offset;
}

}  // namespace jaxdali::host
