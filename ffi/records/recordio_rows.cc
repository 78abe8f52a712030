#include "records/recordio_rows.h"

#include <cstring>

namespace jaxdali::records {
namespace {

constexpr uint32_t kMagic = 0xced7230a;
// Head: magic number, flag and length. Image head: number of labels, the label, two ids.
constexpr uint64_t kHead = 8, kImageHead = 24;

uint32_t Word(const uint8_t* bytes) {
  uint32_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

}  // namespace

bool RecordioRows::Write(Row row, int64_t index) {
  uint64_t place, size;
  ByteWindow* const file = Find(index, &place, &size);
  if (file == nullptr || size < kHead + kImageHead) return false;
  const uint8_t* const head = file->Peek(place, kHead + kImageHead);
  if (head == nullptr || Word(head) != kMagic) return false;
  const uint32_t word = Word(head + 4), labels = Word(head + kHead);
  const uint32_t label = Word(head + kHead + 4);
  const uint64_t length = word & ((uint32_t{1} << 29) - 1);
  if (word >> 29 != 0 || length > size - kHead || length < kImageHead + 4 * uint64_t{labels}) return false;
  const uint64_t begin = place + kHead + kImageHead, image = begin + 4 * uint64_t{labels};
  if (row.Bytes(0, *file, image, place + kHead + length - image) == nullptr) return false;
  const int64_t count = labels == 0 ? 1 : labels;
  uint8_t* const to = row.Array(1, kFloat32, {count}, 4 * static_cast<uint64_t>(count));
  if (to == nullptr) return false;
  if (labels != 0) return file->Copy(begin, 4 * uint64_t{labels}, to);
  std::memcpy(to, &label, sizeof(label));
  return true;
}

}  // namespace jaxdali::records
