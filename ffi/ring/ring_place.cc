// Where samples are stored: at their planned place, or at the slot's tail.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>

#include "ring/ring.h"
#include "ring/slot_size.h"

namespace jaxdali::host {
namespace {

// How many samples one record describes.
constexpr uint32_t kMostTogether = UINT16_MAX + 1;

// Room is taken for at most half of so many files at once.
constexpr uint32_t kMostAhead = 1024;

// Takes up to so many of the bytes that may become holes; returns how many.
uint64_t TakeSpare(std::atomic<int64_t>* spare, uint64_t wanted) {
  const auto bytes = static_cast<int64_t>(wanted / kAlignment * kAlignment);
  const int64_t had = spare->fetch_sub(bytes, std::memory_order_relaxed);
  const int64_t given =
      std::clamp(had / static_cast<int64_t>(kAlignment) * static_cast<int64_t>(kAlignment), int64_t{0}, bytes);
  if (given < bytes) spare->fetch_add(bytes - given, std::memory_order_relaxed);
  return static_cast<uint64_t>(given);
}

struct Unset {
  std::atomic_flag& flag;
  ~Unset() { flag.clear(std::memory_order_release); }
};

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

// Takes room for half of the files that are still to come in the chunk, as large as those before on average: so files
// lie together, and little is left over in the end.
uint64_t Ring::TakeTailForFile(uint32_t slot, uint32_t output, uint32_t sample, uint64_t size) {
  SlotHeader* const head = slot_header(slot);
  if (size > kLargestSize || stretching_.test_and_set(std::memory_order_acquire)) return TakeTail(slot, size);
  const Unset at_end{stretching_};
  Stretch& stretch = stretches_[size_t{slot} * geometry_.outputs + output];
  if (stretch.ticket != head->ticket) stretch = {head->ticket};
  const uint64_t room = RoundUp(size, kAlignment);
  stretch.bytes += room;
  ++stretch.files;
  if (stretch.end - stretch.at >= room) {
    head->spare.fetch_add(static_cast<int64_t>(room), std::memory_order_relaxed);
  } else {
    const uint32_t stop = stops_[slot].load(std::memory_order_relaxed);
    const uint64_t left = std::min(stop - std::min(stop, sample), kMostAhead);
    const uint64_t wanted = std::max(room, stretch.bytes / stretch.files * left / 2);
    const uint64_t taken = room + TakeSpare(&head->spare, wanted - room);
    stretch.at = stretch.end = 0;
    stretch.at = TakeTail(slot, taken);
    stretch.end = stretch.at + taken;
  }
  const uint64_t offset = stretch.at;
  stretch.at += room;
  return offset;
}

uint8_t* Ring::Place(uint32_t slot, uint32_t output, uint32_t first, const SampleRecord& shape, uint32_t count) {
  uint64_t offset = 0;
  // If the last sample lies in the slot, all of them do.
  if (PlannedPlace(slot, output, first + count - 1, shape, &offset)) {
    offset -= shape.size_bytes * (count - 1);
  } else if (count == 1 && plans(slot)[output].encoded) {
    offset = TakeTailForFile(slot, output, first, shape.size_bytes);
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
