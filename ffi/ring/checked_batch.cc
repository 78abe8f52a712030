#include "ring/checked_batch.h"

#include <algorithm>
#include <string>

#include "host/dtype.h"

namespace jaxdali::host {
namespace {

// The slot and the output whose records are being read.
struct Place {
  const Ring& ring;
  uint32_t slot, output;
  uint64_t used;

  bool encoded() const { return ring.book(slot).encoded[output] != 0; }
  SampleRecord Copy(uint32_t sample) const {
    SampleRecord record;
    CopyOnce(ring.records(slot) + ring.geometry().batch_size * output + sample, &record);
    return record;
  }
};

// Computes the size of a sample with these extents. Returns false if no array can have them.
bool SizeOf(const SampleRecord& record, uint64_t* size) {
  if (record.dtype >= kDtypeCount || record.ndim > kMaxDims) return false;
  // Counted as NumPy does: even the other extents of an empty array must not exceed memory.
  int64_t all = kDtypes[record.dtype].size_bytes;
  bool empty = false;
  for (int axis = 0; axis < record.ndim; ++axis) {
    const int64_t extent = record.dims[axis];
    if (extent < 0 || __builtin_mul_overflow(all, std::max<int64_t>(extent, 1), &all)) return false;
    empty = empty || extent == 0;
  }
  *size = empty ? 0 : static_cast<uint64_t>(all);
  return true;
}

bool FlagsAreKnown(const SampleRecord& record, bool encoded) {
  if (!encoded) return record.flags == 0;
  if ((record.flags & kRecordDecoded) != 0) {
    // uint8 or uint16, with a number of channels that files have.
    return record.dtype <= 1 && record.ndim == 3 && record.dims[2] >= 1 && record.dims[2] <= 4 &&
           record.flags >> kRecordStatusShift == 0;
  }
  return record.dtype == 0 && record.ndim == 1 && record.flags >> kRecordStatusShift <= kLastStatus;
}

// Whether the samples that a record describes lie in the `used` bytes.
bool LieIn(const SampleRecord& record, uint64_t used) {
  if (record.offset > used) return false;
  return record.size_bytes == 0 || record.more < (used - record.offset) / record.size_bytes;
}

std::string Describe(const SampleRecord& record) {
  std::string text = "type " + std::to_string(record.dtype) + ", shape (";
  for (int axis = 0; axis < std::min<int>(record.ndim, kMaxDims); ++axis) {
    text += std::to_string(record.dims[axis]) + ", ";
  }
  return text + "), " + std::to_string(record.ndim) + " dimensions, flags " + std::to_string(record.flags) + ", " +
         std::to_string(record.size_bytes) + " bytes at " + std::to_string(record.offset) + ", " +
         std::to_string(record.more) + " more";
}

[[noreturn]] void Damaged(const Place& place, uint32_t sample, const SampleRecord& record) {
  throw RingDamaged("the record of sample " + std::to_string(sample) + " of output " + std::to_string(place.output) +
                        " in slot " + std::to_string(place.slot) + " says " + Describe(record) +
                        ", which is not a sample in the " + std::to_string(place.used) + " bytes that were written",
                    place.slot, place.output, sample);
}

// Checks a copy of the record of `sample`, which may describe as many as `left`. Clears the fields that it does not
// use.
void Check(const Place& place, uint32_t sample, uint32_t left, SampleRecord* record) {
  uint64_t size = 0;
  const bool encoded = place.encoded();
  const bool good = SizeOf(*record, &size) && size == record->size_bytes && FlagsAreKnown(*record, encoded) &&
                    record->more < (encoded ? 1 : left) && LieIn(*record, place.used) &&
                    record->offset % (encoded ? kAlignment : kDtypes[record->dtype].size_bytes) == 0;
  if (!good) Damaged(place, sample, *record);
  const bool file = encoded && (record->flags & kRecordDecoded) == 0;
  std::fill(record->dims + record->ndim + file, record->dims + kMaxDims, 0);
}

bool Follows(const SampleRecord& record, const SampleRecord& first, uint32_t sample) {
  bool same = record.dtype == first.dtype && record.ndim == first.ndim && record.flags == 0 &&
              record.size_bytes == first.size_bytes && record.offset == first.offset + first.size_bytes * sample;
  for (int axis = 0; axis < first.ndim; ++axis) same = same && record.dims[axis] == first.dims[axis];
  return same;
}

std::optional<DenseLayout> ReadDense(const Place& place, uint32_t samples) {
  if (samples == 0 || place.encoded()) return std::nullopt;
  SampleRecord first = place.Copy(0);
  Check(place, 0, samples, &first);
  // All of them lie in the slot if this many fit after the first one.
  if (first.size_bytes != 0 && samples > (place.used - first.offset) / first.size_bytes) return std::nullopt;
  for (uint32_t sample = first.more + 1; sample < samples;) {
    const SampleRecord record = place.Copy(sample);
    if (!Follows(record, first, sample) || record.more >= samples - sample) return std::nullopt;
    sample += record.more + 1;
  }
  return DenseLayout{first.offset, first.dtype, {first.dims, first.dims + first.ndim}};
}

void ReadRecords(const Place& place, uint32_t samples, SampleRecord* to) {
  for (uint32_t sample = 0; sample < samples;) {
    SampleRecord record = place.Copy(sample);
    Check(place, sample, samples - sample, &record);
    const uint32_t behind = sample + record.more + 1;
    record.more = 0;
    for (; sample < behind; ++sample) {
      to[sample] = record;
      record.offset += record.size_bytes;
    }
  }
  if (samples != 0) return;
  SampleRecord record = place.Copy(0);
  if (record.empty == 0) return;
  uint64_t size = 0;
  if (record.empty != 1 || !SizeOf(record, &size)) Damaged(place, 0, record);
  to[0] = record;
}

}  // namespace

CheckedBatch ReadBatch(const Ring& ring, uint32_t slot, uint64_t capacity) {
  const Geometry& geometry = ring.geometry();
  const SlotBook& book = ring.book(slot);
  const SlotHeader* const head = ring.slot_header(slot);
  CheckedBatch batch;
  batch.samples = *const_cast<const volatile uint32_t*>(&head->samples);
  // Only a whole batch, which is a single chunk, may be smaller than requested.
  if (batch.samples > book.samples || (book.chunks > 1 && batch.samples != book.samples)) {
    throw RingDamaged("slot " + std::to_string(slot) + " says that it has " + std::to_string(batch.samples) +
                          " samples, expected " + std::to_string(book.samples),
                      slot);
  }
  // What a dead worker reserved at the tail may never have been allocated.
  batch.used = std::min(head->tail.load(std::memory_order_acquire), capacity);
  for (uint32_t output = 0; output < geometry.outputs; ++output) {
    const Place place{ring, slot, output, batch.used};
    batch.dense.push_back(ReadDense(place, batch.samples));
    if (batch.dense.back()) continue;
    if (batch.records.empty()) batch.records.resize(uint64_t{geometry.outputs} * geometry.batch_size);
    ReadRecords(place, batch.samples, batch.records.data() + uint64_t{output} * geometry.batch_size);
  }
  return batch;
}

}  // namespace jaxdali::host
