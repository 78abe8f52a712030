#include "records/protobuf.h"

#include <algorithm>

namespace jaxdali::records {

bool ReadVarint(ByteWindow& file, uint64_t* place, uint64_t end, uint64_t* value) {
  const size_t there = static_cast<size_t>(std::min<uint64_t>(end - *place, 10));
  const uint8_t* const bytes = file.Peek(*place, there);
  if (bytes == nullptr) return false;
  *value = 0;
  for (size_t k = 0; k < there; ++k) {
    *value |= static_cast<uint64_t>(bytes[k] & 127) << (7 * k);
    if (bytes[k] < 128) {
      *place += k + 1;
      return true;
    }
  }
  return false;
}

bool Fields::Next(Field* field) {
  if (!good_ || range_.begin >= range_.end) return false;
  uint64_t tag = 0, size = 0;
  good_ = false;
  if (!ReadVarint(file_, &range_.begin, range_.end, &tag) || tag < 8) return false;
  field->number = tag >> 3;
  field->wire = tag & 7;
  uint64_t begin = range_.begin;
  if (field->wire == kBytes) {
    if (!ReadVarint(file_, &begin, range_.end, &size)) return false;
  } else if (field->wire == kVarint) {
    uint64_t behind = begin, value;
    if (!ReadVarint(file_, &behind, range_.end, &value)) return false;
    size = behind - begin;
  } else if (field->wire == kFixed64 || field->wire == kFixed32) {
    size = field->wire == kFixed64 ? 8 : 4;
  } else {
    return false;
  }
  if (size > range_.end - begin) return false;
  field->value = {begin, begin + size};
  range_.begin = begin + size;
  good_ = true;
  return true;
}

}  // namespace jaxdali::records
