#include "records/walk.h"

#include <cstring>

#include "host/crc32c.h"
#include "records/forward.h"

namespace jaxdali::records {
namespace {

constexpr uint32_t kMagic = 0xced7230a;
constexpr uint64_t kTfrecordHead = 12, kTfrecordFrame = 16, kPartHead = 8;

template <typename Number>
Number Load(const uint8_t* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof(number));
  return number;
}

}  // namespace

Walk WalkTfrecords(const std::string& path, uint64_t offset, size_t most) {
  Forward file(path);
  Walk found;
  for (found.next = offset; found.places.size() < most;) {
    const uint8_t* const head = file.Head(found.next, kTfrecordHead);
    if (head == nullptr) break;
    const auto size = Load<uint64_t>(head);
    const uint32_t crc = host::Crc32c(head, sizeof(size));
    if (Load<uint32_t>(head + sizeof(size)) != (crc >> 15 | crc << 17) + 0xa282ead8u) break;
    const uint64_t left = file.Left(found.next);
    if (left < kTfrecordFrame || size > left - kTfrecordFrame) break;
    found.places.push_back(static_cast<int64_t>(found.next));
    found.next += size + kTfrecordFrame;
  }
  return found;
}

Walk WalkRecordio(const std::string& path, uint64_t offset, size_t most) {
  Forward file(path);
  Walk found;
  for (found.next = offset; found.places.size() < most;) {
    const uint8_t* const head = file.Head(found.next, kPartHead);
    if (head == nullptr || Load<uint32_t>(head) != kMagic) break;
    const auto word = Load<uint32_t>(head + 4);
    const uint32_t flag = word >> 29;
    const uint64_t size = word & ((uint32_t{1} << 29) - 1);
    if (flag > 3 || size > file.Left(found.next) - kPartHead) break;
    if (flag < 2) found.places.push_back(static_cast<int64_t>(found.next));
    found.next += kPartHead + (size + 3) / 4 * 4;
  }
  return found;
}

}  // namespace jaxdali::records
