#include "records/caffe_rows.h"

#include <cstring>

namespace jaxdali::records {
namespace {

// How many numbers of a tensor are collected at most; images are not collected.
constexpr size_t kMostNumbers = 1 << 16;
constexpr uint64_t kFloat = 1, kInt = 2, kByte = 3, kString = 4;

// Reads the number of a field that is one, as int32.
bool Number(ByteWindow& file, const Field& field, int64_t* number) {
  uint64_t place = field.value.begin, value;
  if (field.wire != kVarint || !ReadVarint(file, &place, field.value.end, &value)) return false;
  *number = static_cast<int32_t>(value);
  return true;
}

// Writes raw pixels of this shape; returns false if that is not possible.
bool Pixels(Row row, uint32_t output, ByteWindow& file, Range data, const int64_t (&dims)[3]) {
  constexpr int64_t kMost = 1 << 20;
  for (const int64_t extent : dims) {
    if (extent < 0 || extent > kMost) return false;
  }
  if (static_cast<uint64_t>(dims[0] * dims[1] * dims[2]) != data.size()) return false;
  uint8_t* const to = row.Array(output, kUint8, dims, 3, data.size());
  return to != nullptr && file.Copy(data.begin, data.size(), to);
}

}  // namespace

bool DatumRows::Write(Row row, int64_t index) {
  uint64_t place, size;
  ByteWindow* const file = Find(index, &place, &size);
  if (file == nullptr) return false;
  Range image{};
  int64_t numbers[8] = {0, 0, 0, 0, 0, 0, 0, 1};
  bool there[8] = {};
  Fields fields(*file, {place, place + size});
  for (Field field; fields.Next(&field);) {
    if (field.number > 7 || field.number == 6) continue;
    if (there[field.number]) return false;  // given twice: the last one would count
    there[field.number] = true;
    if (field.number == 4) {
      if (field.wire != kBytes) return false;
      image = field.value;
    } else if (!Number(*file, field, numbers + field.number)) {
      return false;
    }
  }
  if (!fields.good()) return false;
  uint32_t output = 0;
  if (image_) {
    const int64_t dims[3] = {numbers[2], numbers[3], numbers[1]};
    if (numbers[7] == 0 ? !Pixels(row, output, *file, image, dims)
                        : !there[4] || row.Bytes(output, *file, image.begin, image.size()) == nullptr) {
      return false;
    }
    ++output;
  }
  if (!label_) return true;
  uint8_t* const to = row.Array(output, kInt32, {there[5] ? 1 : 0}, there[5] ? 4 : 0);
  const auto label = static_cast<int32_t>(numbers[5]);
  if (to != nullptr && there[5]) std::memcpy(to, &label, sizeof(label));
  return to != nullptr;
}

bool TensorsRows::Write(Row row, int64_t index) {
  uint64_t place, size;
  ByteWindow* const file = Find(index, &place, &size);
  if (file == nullptr) return false;
  const uint32_t wanted = numbers_ + (image_ ? 1 : 0);
  uint32_t output = 0;
  Fields fields(*file, {place, place + size});
  for (Field field; output < wanted && fields.Next(&field);) {
    if (field.number != 1) continue;
    if (field.wire != kBytes || !Parse(*file, field.value)) return false;
    const uint32_t number = output - (image_ ? 1 : 0);
    const bool written =
        image_ && output == 0 ? WriteImage(row, *file) : WriteNumbers(row, output, label_of_one_ && number == 0);
    if (!written) return false;
    ++output;
  }
  for (Field field; fields.Next(&field);) {
    if (field.number == 1 && field.wire != kBytes) return false;
  }
  return output == wanted && fields.good();
}

bool TensorsRows::Parse(ByteWindow& file, Range range) {
  Tensor& found = tensor_;
  found.dims.clear();
  found.floats.clear();
  found.integers.clear();
  found.kind = kFloat;
  found.data = found.text = {};
  found.texts = 0;
  Fields fields(file, range);
  for (Field field; fields.Next(&field);) {
    const Range value = field.value;
    if (field.number == 1 || field.number == 2 || field.number == 4) {
      if (field.wire != kBytes && field.wire != kVarint) return false;
      for (uint64_t place = value.begin, one; place < value.end;) {
        if (!ReadVarint(file, &place, value.end, &one)) return false;
        if (field.number == 1) found.dims.push_back(static_cast<int64_t>(one));
        if (field.number == 2) found.kind = one;
        if (field.number == 4) found.integers.push_back(static_cast<int32_t>(one));
        if (found.dims.size() > kMostNumbers || found.integers.size() > kMostNumbers) return false;
      }
      if (field.number == 2 && field.wire != kVarint) return false;
    } else if (field.number == 3) {
      if ((field.wire != kBytes && field.wire != kFixed32) || value.size() % 4 != 0) return false;
      const size_t count = found.floats.size() + value.size() / 4;
      if (count > kMostNumbers) return false;
      const size_t before = found.floats.size();
      found.floats.resize(count);
      if (value.size() != 0 &&
          !file.Copy(value.begin, value.size(), reinterpret_cast<uint8_t*>(found.floats.data() + before)))
        return false;
    } else if (field.number == 5) {
      if (field.wire != kBytes) return false;
      found.data = value;
    } else if (field.number == 6) {
      if (field.wire != kBytes) return false;
      if (found.texts++ == 0) found.text = value;
    }
  }
  return fields.good();
}

bool TensorsRows::WriteImage(Row row, ByteWindow& file) {
  if (tensor_.kind == kString) {
    return tensor_.texts == 1 && row.Bytes(0, file, tensor_.text.begin, tensor_.text.size()) != nullptr;
  }
  if (tensor_.kind != kByte || tensor_.dims.size() < 2 || tensor_.dims.size() > 3) return false;
  const int64_t dims[3] = {tensor_.dims[0], tensor_.dims[1], tensor_.dims.size() == 3 ? tensor_.dims[2] : 1};
  return Pixels(row, 0, file, tensor_.data, dims);
}

bool TensorsRows::WriteNumbers(Row row, uint32_t output, bool one) {
  if (tensor_.kind != kFloat && tensor_.kind != kInt) return false;
  const bool floats = tensor_.kind == kFloat;
  const size_t count = floats ? tensor_.floats.size() : tensor_.integers.size();
  if (one && count != 1) return false;
  uint8_t* const to = row.Array(output, floats ? kFloat32 : kInt32, {static_cast<int64_t>(count)}, 4 * count);
  if (to == nullptr) return false;
  const void* const from = floats ? static_cast<const void*>(tensor_.floats.data()) : tensor_.integers.data();
  if (count != 0) std::memcpy(to, from, 4 * count);
  return true;
}

}  // namespace jaxdali::records
