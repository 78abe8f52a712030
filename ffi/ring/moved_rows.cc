#include "ring/moved_rows.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "host/dtype.h"

namespace jaxdali::host {
namespace {

[[noreturn]] void Refuse() { throw std::invalid_argument("jaxdali: these records are not of these rows"); }

// Reads records one after the other.
class RecordReader {
 public:
  RecordReader(const uint8_t* records, size_t size) : at_(records), end_(records + size) {}
  SampleRecord Next() {
    SampleRecord record;
    if (static_cast<size_t>(end_ - at_) < sizeof(record)) Refuse();
    std::memcpy(&record, at_, sizeof(record));
    at_ += sizeof(record);
    if (record.dtype >= kDtypeCount || record.ndim > kMaxDims) Refuse();
    return record;
  }
  bool AtEnd() const { return at_ == end_; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace

std::vector<SampleRecord> RecordsOfRows(const Ring& ring, uint32_t slot, uint32_t start, uint32_t stop) {
  std::vector<SampleRecord> found;
  const Geometry& geometry = ring.geometry();
  for (uint32_t output = 0; output < geometry.outputs; ++output) {
    const SampleRecord* const records = ring.records(slot) + uint64_t{geometry.batch_size} * output;
    if (start == stop && records->empty != 0) found.push_back(*records);
    for (uint32_t row = start; row < stop; row += found.back().more + 1u) found.push_back(records[row]);
  }
  return found;
}

void StoreRows(Ring* ring, uint32_t slot, uint32_t start, uint32_t stop, const uint8_t* records, size_t records_size,
               const uint8_t* data, size_t data_size) {
  RecordReader reader(records, records_size);
  for (uint32_t output = 0; output < ring->geometry().outputs; ++output) {
    if (start == stop && !reader.AtEnd()) {
      const SampleRecord empty = reader.Next();
      if (empty.empty == 0) Refuse();
      ring->PlaceBatch(slot, output, 0, empty);
    }
    for (uint32_t row = start; row < stop;) {
      SampleRecord record = reader.Next();
      const uint32_t count = record.more + 1u;
      const bool lies_in = record.offset <= data_size &&
                           (record.size_bytes == 0 || count <= (data_size - record.offset) / record.size_bytes);
      if (count > stop - row || !lies_in) Refuse();
      const uint8_t* const from = data + record.offset;
      if (record.flags & kRecordRaw) ring->slot_header(slot)->raw.fetch_add(1, std::memory_order_relaxed);
      record.more = 0;
      std::memcpy(ring->Place(slot, output, row, record, count), from, record.size_bytes * count);
      row += count;
    }
  }
  if (!reader.AtEnd()) Refuse();
}

}  // namespace jaxdali::host
