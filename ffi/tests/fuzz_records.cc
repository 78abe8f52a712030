// A libFuzzer target: finding records in files and writing them into slots, whatever the files contain.
//
// An input is kControls bytes, which choose the format and where a record is said to lie, and a file. Besides what the
// sanitizers find, it checks that records lie in their file, in order, and are the same when they are looked for one by
// one; that arrays lie in their slot, have the bytes that their shapes say, and leave the sample before them alone.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzzing.h"
#include "host/crc32c.h"
#include "host/dtype.h"
#include "records/caffe_rows.h"
#include "records/example_rows.h"
#include "records/npy_rows.h"
#include "records/plain_rows.h"
#include "records/recordio_rows.h"
#include "records/walk.h"
#include "ring/ring.h"

namespace jaxdali::records {
namespace {

constexpr size_t kControls = 8;
constexpr uint32_t kOutputs = 3, kSamples = 3;
constexpr size_t kMost = 1 << 12;
constexpr int64_t kPattern[2] = {0x0123456789abcdef, -1};

// The file of the current input.
class File {
 public:
  File() : fd_(memfd_create("fuzz", 0)), path_("/proc/self/fd/" + std::to_string(fd_)) {
    Demand(fd_ >= 0, "there are files in memory");
  }
  void Fill(const uint8_t* data, size_t size) {
    Demand(ftruncate(fd_, 0) == 0 && pwrite(fd_, data, size, 0) == static_cast<ssize_t>(size), "a file takes bytes");
  }
  const std::string& path() const { return path_; }

 private:
  int fd_;
  std::string path_;
};

// A slot whose first sample is already there.
class Slot {
 public:
  Slot() : ring_(host::Ring::Create({1, 1, kOutputs, kSamples, 1 << 16, 1 << 24}, nullptr)) {}

  Row Begin(bool encoded) {
    host::OutputPlan plan{};
    ring_->Publish(0, {1, 0, 0, 0, kSamples, 0}, std::vector<host::OutputPlan>(kOutputs, plan));
    first_ = Row{*ring_, 0, 0}.Array(0, kInt64, {2}, sizeof(kPattern));
    std::memcpy(first_, kPattern, sizeof(kPattern));
    for (uint32_t output = 0; output < kOutputs; ++output) ring_->plans(0)[output].encoded = encoded;
    return {*ring_, 0, 1};
  }

  void Check(uint32_t outputs) const {
    Demand(std::memcmp(first_, kPattern, sizeof(kPattern)) == 0, "a sample's neighbour is left alone");
    for (uint32_t output = 0; output < outputs; ++output) {
      const host::SampleRecord& record = ring_->records(0)[kSamples * output + 1];
      Demand(record.dtype < host::kDtypeCount && record.ndim <= host::kMaxDims, "an array has a type and axes");
      uint64_t size = host::kDtypes[record.dtype].size_bytes;
      for (int axis = 0; axis < record.ndim; ++axis) {
        Demand(record.dims[axis] >= 0, "no axis is negative");
        Demand(!__builtin_mul_overflow(size, static_cast<uint64_t>(record.dims[axis]), &size), "an array is not huge");
      }
      Demand(size == record.size_bytes, "an array has the bytes of its shape");
      const uint64_t room = ring_->allocated(0);
      Demand(record.offset <= room && size <= room - record.offset, "an array lies in its slot");
    }
  }

 private:
  std::shared_ptr<host::Ring> ring_;
  uint8_t* first_ = nullptr;
};

using Walker = Walk (*)(const std::string&, uint64_t, size_t);

// pads: whether padding after the last record may be missing.
void CheckWalk(Walker walk, bool has_sizes, bool pads, const std::string& path, uint64_t offset, uint64_t size) {
  const size_t width = has_sizes ? 2 : 1;
  const Walk all = walk(path, offset, kMost);
  const size_t count = all.places.size() / width;
  Demand(all.places.size() == count * width && count <= kMost, "there are no more records than were asked for");
  if (has_sizes) {
    size_t names = 0;
    for (const char letter : all.names) names += letter == '\0';
    Demand(names == count, "each has a name");
    size_t lines = 0;
    SampleLines(all.names, all.places.data(), &lines);
    Demand(lines <= count, "no file is in two samples");
  }
  uint64_t behind = offset;
  for (size_t index = 0; index < count; ++index) {
    const auto place = static_cast<uint64_t>(all.places[width * index]);
    const auto bytes = has_sizes ? static_cast<uint64_t>(all.places[2 * index + 1]) : 0;
    Demand(place >= behind && place <= size && bytes <= size - place, "records lie in the file, in order");
    behind = place + bytes;
  }
  Demand(pads || count == 0 || all.next <= size, "the last one ends in the file");
  uint64_t next = offset;
  for (size_t index = 0; index < count; ++index) {
    const Walk one = walk(path, next, 1);
    Demand(one.places.size() == width && one.places[0] == all.places[width * index] && one.next > next,
           "one record after the other is the same");
    next = one.next;
  }
}

std::unique_ptr<RowReader> ReaderOf(uint8_t format, uint8_t option, Places places, uint32_t* outputs) {
  const bool first = option & 1, second = option & 2;
  switch (format) {
    case 3:
      *outputs = 3;
      return std::make_unique<ExampleRows>(
          std::move(places), std::vector<Feature>{{"a", Feature::kInt64, first, {2}},
                                                  {"b", Feature::kString, true, {}},
                                                  {"c", Feature::kFloat32, second,
                                                   first ? std::vector<int64_t>{2} : std::vector<int64_t>{}}});
    case 4:
      *outputs = first + second;
      return std::make_unique<DatumRows>(std::move(places), first, second);
    case 5:
      *outputs = first + 1;
      return std::make_unique<TensorsRows>(std::move(places), first, 1, second);
    case 6:
      *outputs = 2;
      return std::make_unique<RecordioRows>(std::move(places));
    default:
      *outputs = 1;
      return std::make_unique<PlainRows>(std::move(places), std::vector<std::pair<uint8_t, uint32_t>>{{kInt32, 4}},
                                         second);
  }
}

std::unique_ptr<RowReader> NpyReader(const std::string& path, uint8_t option, const uint8_t* numbers) {
  const bool whole = option & 1;
  auto reader = std::make_unique<NpyRows>(std::vector<std::string>{path}, whole);
  if (!whole) {
    // A region of float32[4, 6] as its caller has checked it: within the array, and within its output.
    Region region;
    for (int axis = 0; axis < 2; ++axis) {
      const int64_t extent = axis == 0 ? 4 : 6;
      const int64_t begin = numbers[axis] % (extent + 1), end = begin + numbers[2 + axis] % (extent - begin + 1);
      const int64_t before = numbers[axis] / 16, behind = numbers[2 + axis] / 16;
      region.begin.push_back(begin);
      region.end.push_back(end);
      region.before.push_back(before);
      region.dims.push_back(before + end - begin + behind);
    }
    if (option & 2) region.fill = {0, 0, 128, 63};
    reader->Learn(kFloat32, {4, 6}, std::move(region));
  }
  return reader;
}

// Returns a TFRecord of these bytes with correct checksums, which chance would not find.
std::vector<uint8_t> Framed(const uint8_t* bytes, uint64_t size) {
  const auto masked = [](uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; };
  std::vector<uint8_t> frame(size + 16);
  std::memcpy(frame.data(), &size, 8);
  const uint32_t head = masked(host::Crc32c(frame.data(), 8)), tail = masked(host::Crc32c(bytes, size));
  std::memcpy(frame.data() + 8, &head, 4);
  std::copy_n(bytes, size, frame.data() + 12);
  std::memcpy(frame.data() + 12 + size, &tail, 4);
  return frame;
}

void Check(const uint8_t* data, size_t size) {
  static File file;
  static Slot slot;
  const uint8_t format = data[0] % 9, option = data[1];
  std::vector<uint8_t> content(data + kControls, data + size);
  if (format == 3 && option & 128) content = Framed(content.data(), content.size());
  const uint64_t count = content.size();
  file.Fill(content.data(), count);
  const uint64_t offset = data[2] | data[3] << 8;
  switch (format) {
    case 0:
      return CheckWalk(WalkTfrecords, false, false, file.path(), offset, count);
    case 1:
      return CheckWalk(WalkRecordio, false, true, file.path(), offset, count);
    case 2:
      return CheckWalk(WalkTar, true, true, file.path(), offset, count);
    default:
      break;
  }
  // An index may say anything, also places behind the file's end, and negative numbers.
  const auto said = static_cast<int64_t>(data[4] | data[5] << 8);
  const int64_t places[] = {option & 16 ? -static_cast<int64_t>(offset) : static_cast<int64_t>(offset),
                            option & 32   ? -said
                            : option & 64 ? static_cast<int64_t>(count)
                                          : said};
  const int64_t bounds[] = {0, 1};
  uint32_t outputs = 1;
  const std::unique_ptr<RowReader> reader =
      format == 8 ? NpyReader(file.path(), option, data + 2)
                  : ReaderOf(format, option, {{file.path()}, places, 1, bounds}, &outputs);
  const Row row = slot.Begin(option & 8);
  try {
    if (reader->Write(row, 0)) slot.Check(outputs);
  } catch (const std::exception&) {
    // There is not that much memory.
  }
  reader->Pause();
}

}  // namespace
}  // namespace jaxdali::records

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size >= jaxdali::records::kControls) jaxdali::records::Check(data, size);
  return 0;
}
