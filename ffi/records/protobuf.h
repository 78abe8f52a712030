// Reads protocol buffers field by field, from bytes that may hold anything.
#ifndef JAXDALI_RECORDS_PROTOBUF_H_
#define JAXDALI_RECORDS_PROTOBUF_H_

#include <cstdint>

#include "records/byte_window.h"

namespace jaxdali::records {

enum Wire : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// The bytes of a field's value.
struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t size() const { return end - begin; }
};

struct Field {
  uint64_t number;
  uint8_t wire;
  Range value;
};

// Reads a number of 7 bits per byte, and moves `place` past it. Returns false if there is none before `end`.
bool ReadVarint(ByteWindow& file, uint64_t* place, uint64_t end, uint64_t* value);

// The fields of a message, one after the other.
class Fields {
 public:
  Fields(ByteWindow& file, Range range) : file_(file), range_(range) {}
  // Returns false if there are no more fields, or if something else is there; see `good`.
  bool Next(Field* field);
  bool good() const { return good_; }

 private:
  ByteWindow& file_;
  Range range_;
  bool good_ = true;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_PROTOBUF_H_
