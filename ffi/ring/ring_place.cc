// Where samples are stored: at their planned place, or at the slot's tail.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "ring/ring.h"
#include "ring/slot_size.h"

namespace jaxdali::host {
namespace {

// How many samples one record describes.
constexpr uint32_t kMostTogether = UINT16_MAX + 1;

}  // namespace

// Returns the planned place of `sample`, if the plan is for samples of this shape. Reads the plan once; the place is in
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

uint8_t* Ring::Place(uint32_t slot, uint32_t output, uint32_t first, const SampleRecord& shape, uint32_t count) {
  uint64_t offset = 0;
  // If the last sample lies in the slot, all of them do.
  if (PlannedPlace(slot, output, first + count - 1, shape, &offset)) {
    offset -= shape.size_bytes * (count - 1);
  } else {
    offset = TakeTail(slot, shape.size_bytes * count);
  }
  SampleRecord* const to = records(slot) + geometry_.batch_size * output + first;
  // Records of many small rows would be as large as the rows.
  const uint32_t most = plans(slot)[output].encoded ? 1 : kMostTogether;
  for (uint32_t sample = 0; sample < count; sample += most) {
    to[sample] = shape;
    to[sample].offset = offset + shape.size_bytes * sample;
    to[sample].more = static_cast<uint16_t>(std::min(most, count - sample) - 1);
  }
  return slot_data(slot) + offset;
}

uint8_t* Ring::PlaceBatch(uint32_t slot, uint32_t output, uint32_t samples, const SampleRecord& shape) {
  if (samples != 0) return Place(slot, output, 0, shape, samples);
  SampleRecord& record = records(slot)[geometry_.batch_size * output];
  record = shape;
  record.empty = 1;
  return slot_data(slot);
}

}  // namespace jaxdali::host
