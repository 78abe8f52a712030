#include "records/example_rows.h"

#include <algorithm>
#include <cstring>

#include "host/crc32c.h"

namespace jaxdali::records {
namespace {

// Bytes around the data of a record: before it, its length and the length's checksum; after it, its own checksum.
constexpr uint64_t kBefore = 12, kBehind = 4;

template <typename T>
T Load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

bool Fits(uint32_t crc, uint32_t masked) { return ((crc >> 15 | crc << 17) + 0xa282ead8u) == masked; }

// Finds the only field of a message, which must be of bytes and have that number (0: any).
bool OnlyBytes(ByteWindow& file, Range range, uint64_t number, Field* only) {
  Fields fields(file, range);
  Field more;
  return fields.Next(only) && !fields.Next(&more) && fields.good() && only->wire == kBytes &&
         (number == 0 || only->number == number);
}

// Computes the checksum of a range. Parts of it that have been copied are summed from their copies, in file order.
bool Sum(ByteWindow& file, Range range, std::vector<std::pair<Range, const uint8_t*>>& copied, uint32_t* crc) {
  std::sort(copied.begin(), copied.end(), [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  uint32_t sum = 0;
  uint64_t place = range.begin;
  size_t next = 0;
  while (place < range.end) {
    while (next < copied.size() && copied[next].first.end <= place) ++next;
    if (next < copied.size() && copied[next].first.begin <= place) {
      const auto& [part, bytes] = copied[next];
      sum = host::Crc32c(bytes + (place - part.begin), part.end - place, sum);
      place = part.end;
      continue;
    }
    const uint64_t stop = next < copied.size() ? copied[next].first.begin : range.end;
    const auto count = static_cast<size_t>(std::min<uint64_t>(stop - place, ByteWindow::kWindow));
    const uint8_t* const bytes = file.Peek(place, count);
    if (bytes == nullptr) return false;
    sum = host::Crc32c(bytes, count, sum);
    place += count;
  }
  *crc = sum;
  return true;
}

}  // namespace

ExampleRows::ExampleRows(Places places, std::vector<Feature> features)
    : RecordReader(std::move(places)), features_(std::move(features)), found_(features_.size()) {}

bool ExampleRows::Write(Row row, int64_t index) {
  uint64_t place, size;
  ByteWindow* const file = Find(index, &place, &size);
  if (file == nullptr || size < kBefore + kBehind) return false;
  const uint8_t* const head = file->Peek(place, kBefore);
  if (head == nullptr || Load<uint64_t>(head) != size - kBefore - kBehind) return false;
  if (!Fits(host::Crc32c(head, 8), Load<uint32_t>(head + 8))) return false;
  const Range data{place + kBefore, place + size - kBehind};
  copied_.clear();
  if (!Locate(*file, data)) return false;
  for (uint32_t number = 0; number < features_.size(); ++number) {
    if (!WriteFeature(row, *file, number)) return false;
  }
  uint32_t crc;
  if (!Sum(*file, data, copied_, &crc)) return false;
  const uint8_t* const tail = file->Peek(data.end, kBehind);
  return tail != nullptr && Fits(crc, Load<uint32_t>(tail));
}

bool ExampleRows::Locate(ByteWindow& file, Range example) {
  std::fill(found_.begin(), found_.end(), Range{});
  Fields parts(file, example);
  for (Field part; parts.Next(&part);) {
    if (part.number == 2 && part.wire == kBytes) return false;  // the feature lists of a SequenceExample
    if (part.number != 1 || part.wire != kBytes) continue;
    Fields entries(file, part.value);
    for (Field entry; entries.Next(&entry);) {
      if (entry.number == 1 && entry.wire == kBytes && !LocateEntry(file, entry.value)) return false;
    }
    if (!entries.good()) return false;
  }
  return parts.good();
}

bool ExampleRows::LocateEntry(ByteWindow& file, Range entry) {
  Fields fields(file, entry);
  Range key{}, value{};
  for (Field field; fields.Next(&field);) {
    if (field.wire != kBytes) continue;
    if (field.number == 1) key = field.value;
    if (field.number == 2) value = field.value;
  }
  if (!fields.good()) return false;
  for (size_t k = 0; k < features_.size(); ++k) {
    const std::string& name = features_[k].name;
    if (key.size() != name.size()) continue;
    const uint8_t* const bytes = name.size() > ByteWindow::kWindow ? nullptr : file.Peek(key.begin, name.size());
    if (bytes == nullptr) return false;
    if (std::memcmp(bytes, name.data(), name.size()) != 0) continue;
    if (found_[k].end != 0) return false;  // given twice: the last one would count
    found_[k] = value;
  }
  return true;
}

bool ExampleRows::WriteFeature(Row row, ByteWindow& file, uint32_t number) {
  const Feature& feature = features_[number];
  Field list, values;
  if (found_[number].size() == 0 || !OnlyBytes(file, found_[number], 0, &list)) return false;
  constexpr uint8_t kKinds[] = {Feature::kString, Feature::kFloat32, Feature::kInt64};
  if (list.number > 3 || kKinds[list.number - 1] != feature.kind) return false;
  if (!OnlyBytes(file, list.value, 1, &values)) return false;
  if (feature.kind != Feature::kString) return WriteNumbers(row, file, number, values.value);
  const uint8_t* const to = row.Bytes(number, file, values.value.begin, values.value.size());
  if (to != nullptr) copied_.emplace_back(values.value, to);
  return to != nullptr;
}

bool ExampleRows::WriteNumbers(Row row, ByteWindow& file, uint32_t number, Range packed) {
  const Feature& feature = features_[number];
  const bool floats = feature.kind == Feature::kFloat32;
  int64_t count = 0;
  if (floats) {
    if (packed.size() % 4 != 0) return false;
    count = static_cast<int64_t>(packed.size() / 4);
  } else {
    for (uint64_t place = packed.begin, value; place < packed.end; ++count) {
      if (!ReadVarint(file, &place, packed.end, &value)) return false;
    }
  }
  int64_t rest = 1;
  for (const int64_t extent : feature.shape) rest *= extent;
  if (count == 0 || rest <= 0 || (feature.fixed ? count != rest : count % rest != 0)) return false;
  std::vector<int64_t> dims;
  if (!feature.fixed) dims.push_back(count / rest);
  dims.insert(dims.end(), feature.shape.begin(), feature.shape.end());
  const uint64_t bytes = static_cast<uint64_t>(count) * (floats ? 4 : 8);
  uint8_t* to = row.Array(number, floats ? kFloat32 : kInt64, dims.data(), dims.size(), bytes);
  if (to == nullptr) return false;
  if (floats) return file.Copy(packed.begin, packed.size(), to);
  // Only as many as were counted: somebody who writes the file meanwhile may put more there.
  uint64_t place = packed.begin, value;
  for (int64_t k = 0; k < count; ++k) {
    if (place >= packed.end || !ReadVarint(file, &place, packed.end, &value)) return false;
    std::memcpy(to + 8 * k, &value, sizeof(value));
  }
  return place == packed.end;
}

}  // namespace jaxdali::records
