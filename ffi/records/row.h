// Where the data read for a sample goes: its outputs in a slot.
#ifndef JAXDALI_RECORDS_ROW_H_
#define JAXDALI_RECORDS_ROW_H_

#include <atomic>
#include <cstdint>
#include <initializer_list>

#include "records/byte_window.h"
#include "ring/ring.h"

namespace jaxdali::records {

// DALI's numbers for types.
enum Dtype : uint8_t { kUint8 = 0, kInt32 = 6, kInt64 = 7, kFloat32 = 9 };

struct Row {
  host::Ring& ring;
  uint32_t slot;
  uint32_t sample;
  std::atomic<uint32_t>* at = nullptr;  // tells which sample is being read, in case the process dies of it

  // Returns room for an array; null if it cannot be kept as it is.
  uint8_t* Array(uint32_t output, uint8_t dtype, const int64_t* dims, size_t ndim, uint64_t size_bytes) {
    return Arrays(output, dtype, dims, ndim, size_bytes, 1);
  }
  uint8_t* Array(uint32_t output, uint8_t dtype, std::initializer_list<int64_t> dims, uint64_t size_bytes) {
    return Array(output, dtype, dims.begin(), dims.size(), size_bytes);
  }
  // Returns room for the arrays of `count` samples of one shape, one after the other, this sample's first.
  uint8_t* Arrays(uint32_t output, uint8_t dtype, const int64_t* dims, size_t ndim, uint64_t size_bytes,
                  uint32_t count);
  // Writes `uint8[count]` from a file. Returns null if it cannot be kept as it is, or if the file has changed.
  uint8_t* Bytes(uint32_t output, ByteWindow& file, uint64_t place, uint64_t count);
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_ROW_H_
