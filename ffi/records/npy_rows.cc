#include "records/npy_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "host/dtype.h"

namespace jaxdali::records {
namespace {

constexpr size_t kMostAxes = 8;
// The most bytes of a header; NumPy's own have 118, or a multiple of 64 less ten.
constexpr size_t kMostWords = 4096;
// The most digits of an extent, so that int64 holds it.
constexpr size_t kMostDigits = 16;

// The rest of a text that is being read.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  bool Take(std::string_view word) {
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool TakeNumber(int64_t* number) {
    size_t digits = 0;
    *number = 0;
    while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') {
      if (digits == kMostDigits) return false;  // the rest would be taken for the next number
      *number = 10 * *number + (text_[digits++] - '0');
    }
    text_.remove_prefix(digits);
    return digits != 0;
  }
  std::string_view TakeUntil(char last) {
    const size_t size = std::min(text_.find(last), text_.size());
    const std::string_view found = text_.substr(0, size);
    text_.remove_prefix(size);
    return found;
  }

  // Whether nothing is left except the padding that NumPy adds to headers.
  bool IsBlank() const { return text_.find_first_not_of(" \n") == std::string_view::npos; }

 private:
  std::string_view text_;
};

// Reads the type in '<f4' and the like.
bool ReadType(std::string_view text, NpyHeader* header) {
  if (text.size() != 3 || (text[0] != '<' && text[0] != '|')) return false;
  const char kind = text[1] == 'b' ? '?' : text[1];
  const auto size = static_cast<uint8_t>(text[2] - '0');
  if (text[0] == '|' && size != 1) return false;
  for (uint8_t dtype = 0; dtype < host::kDtypeCount; ++dtype) {
    if (host::kDtypes[dtype].kind != kind || host::kDtypes[dtype].size_bytes != size) continue;
    header->dtype = dtype;
    header->item = size;
    return true;
  }
  return false;
}

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and blanks.
bool ReadWords(std::string_view text, NpyHeader* header) {
  Words words(text);
  if (!words.Take("{'descr': '") || !ReadType(words.TakeUntil('\''), header)) return false;
  if (!words.Take("', 'fortran_order': False, 'shape': (")) return false;
  header->dims.clear();
  for (int64_t extent; !words.Take(")");) {
    if (header->dims.size() == kMostAxes || !words.TakeNumber(&extent)) return false;
    header->dims.push_back(extent);
    if (!words.Take(", ") && !words.Take(",") && header->dims.size() < 2) return false;
  }
  return words.Take(", }") && words.IsBlank();
}

// Computes the bytes of an array. Returns false for more than any file has, also if an extent of 0 makes them none.
bool SizeOf(const std::vector<int64_t>& dims, uint64_t item, uint64_t* size) {
  bool empty = false;
  *size = item;
  for (const int64_t extent : dims) {
    empty = empty || extent == 0;
    const auto factor = static_cast<uint64_t>(extent == 0 ? 1 : extent);
    if (extent < 0 || __builtin_mul_overflow(*size, factor, size) || *size >= uint64_t{1} << 62) return false;
  }
  if (empty) *size = 0;
  return true;
}

// Copies the region, in runs that are contiguous both in the file and in the output.
bool CopyRegion(ByteWindow& file, const NpyHeader& header, const Region& region, uint8_t* to) {
  const size_t axes = header.dims.size();
  // The axes after `inner` are whole on both sides, so one run has some of axis `inner` and all of those after it.
  size_t inner = axes;
  uint64_t run = header.item;
  while (inner > 0) {
    const size_t axis = inner - 1;
    run *= static_cast<uint64_t>(region.end[axis] - region.begin[axis]);
    --inner;
    if (region.end[axis] - region.begin[axis] != header.dims[axis] || region.dims[axis] != header.dims[axis]) break;
  }
  std::vector<uint64_t> from_step(axes), to_step(axes);
  for (size_t axis = axes, from = header.item, into = header.item; axis-- > 0;) {
    from_step[axis] = from;
    to_step[axis] = into;
    from *= static_cast<uint64_t>(header.dims[axis]);
    into *= static_cast<uint64_t>(region.dims[axis]);
  }
  std::vector<int64_t> at(region.begin.begin(), region.begin.begin() + static_cast<std::ptrdiff_t>(inner));
  if (run == 0) return true;
  for (size_t axis = 0; axis < inner; ++axis) {
    if (region.begin[axis] == region.end[axis]) return true;
  }
  for (;;) {
    uint64_t source = header.data, target = 0;
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t index = axis < inner ? at[axis] : region.begin[axis];
      source += from_step[axis] * static_cast<uint64_t>(index);
      target += to_step[axis] * static_cast<uint64_t>(index - region.begin[axis] + region.before[axis]);
    }
    if (!file.Copy(source, run, to + target)) return false;
    size_t axis = inner;
    while (axis-- > 0) {
      if (++at[axis] < region.end[axis]) break;
      at[axis] = region.begin[axis];
    }
    if (axis == static_cast<size_t>(-1)) return true;
  }
}

}  // namespace

bool ReadNpyHeader(ByteWindow& file, NpyHeader* header) {
  constexpr size_t kBefore = 10;
  const uint8_t* const head = file.Peek(0, kBefore);
  if (head == nullptr || std::memcmp(head, "\x93NUMPY\x01", 7) != 0) return false;
  const size_t size = head[8] | static_cast<size_t>(head[9]) << 8;
  if (size > kMostWords) return false;
  const uint8_t* const words = file.Peek(kBefore, size);
  header->data = kBefore + size;
  return words != nullptr && ReadWords({reinterpret_cast<const char*>(words), size}, header);
}

bool NpyRows::Write(Row row, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(paths_.size())) return false;
  if (!file_.Open(paths_[static_cast<size_t>(index)]) || !file_.Begin(0, file_.file_size())) return false;
  uint64_t size;
  // A file that has more bytes than its array is unusual: there may be another array.
  if (!ReadNpyHeader(file_, &header_) || !SizeOf(header_.dims, header_.item, &size) ||
      size != file_.file_size() - header_.data) {
    return false;
  }
  if (whole_) {
    uint8_t* const to = row.Array(0, header_.dtype, header_.dims.data(), header_.dims.size(), size);
    return to != nullptr && file_.Copy(header_.data, size, to);
  }
  const auto found = regions_.find({header_.dtype, header_.dims});
  if (found == regions_.end()) return false;
  const Region& region = found->second;
  if (!SizeOf(region.dims, header_.item, &size)) return false;
  uint8_t* const to = row.Array(0, header_.dtype, region.dims.data(), region.dims.size(), size);
  if (to == nullptr) return false;
  for (uint64_t place = 0; !region.fill.empty() && place < size; place += header_.item) {
    std::memcpy(to + place, region.fill.data(), header_.item);
  }
  return CopyRegion(file_, header_, region, to);
}

}  // namespace jaxdali::records
