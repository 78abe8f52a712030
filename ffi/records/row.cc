#include "records/row.h"

#include <algorithm>

namespace jaxdali::records {

uint8_t* Row::Arrays(uint32_t output, uint8_t dtype, const int64_t* dims, size_t ndim, uint64_t size_bytes,
                     uint32_t count) {
  if (output >= ring.geometry().outputs || ndim > host::kMaxDims || ring.plans(slot)[output].encoded) return nullptr;
  host::SampleRecord record{};
  record.dtype = dtype;
  record.ndim = static_cast<uint8_t>(ndim);
  record.size_bytes = size_bytes;
  std::copy_n(dims, ndim, record.dims);
  return ring.Place(slot, output, sample, record, count);
}

uint8_t* Row::Bytes(uint32_t output, ByteWindow& file, uint64_t place, uint64_t count) {
  if (output >= ring.geometry().outputs) return nullptr;
  if (ring.plans(slot)[output].encoded) {
    // Decoders take JPEG as it is. Other files are decoded where they are read, by Python's libraries.
    const uint8_t* const start = count < 2 ? nullptr : file.Peek(place, 2);
    if (start == nullptr || start[0] != 0xff || start[1] != 0xd8) return nullptr;
  }
  host::SampleRecord record{};
  record.dtype = kUint8;
  record.ndim = 1;
  record.size_bytes = count;
  record.dims[0] = static_cast<int64_t>(count);
  uint8_t* const to = ring.Place(slot, output, sample, record);
  return file.Copy(place, count, to) ? to : nullptr;
}

}  // namespace jaxdali::records
