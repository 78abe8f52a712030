#include "decoding/exif.h"

#include <cstring>
#include <string_view>

namespace jaxdali {
namespace {

constexpr uint16_t kOrientationTag = 0x0112;
constexpr size_t kHeaderSize = 8;
constexpr size_t kEntrySize = 12;

// Bytes of one value of each TIFF type; 0 if the type is unknown. TIFF 6.0, section 2; 13 and 16 are IFD and LONG8 of
// later supplements.
constexpr uint8_t kTypeSizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8};

// Reads a TIFF structure in its own byte order. Callers check bounds.
class TiffView {
 public:
  TiffView(const uint8_t* data, size_t size, bool big_endian) : data_(data), size_(size), big_endian_(big_endian) {}

  size_t size() const { return size_; }

  uint16_t U16(size_t at) const {
    const uint32_t first = data_[at], second = data_[at + 1];
    return static_cast<uint16_t>(big_endian_ ? first << 8 | second : second << 8 | first);
  }

  uint32_t U32(size_t at) const {
    const uint32_t first = U16(at), second = U16(at + 2);
    return big_endian_ ? first << 16 | second : second << 16 | first;
  }

  // Returns an integer of TIFF type `type`; nullopt for types that hold no integer.
  std::optional<int64_t> Integer(uint16_t type, size_t at) const {
    switch (type) {
      case 3:
        return U16(at);
      case 4:
      case 13:
        return U32(at);
      case 6:
        return static_cast<int8_t>(data_[at]);
      case 8:
        return static_cast<int16_t>(U16(at));
      case 9:
        return static_cast<int32_t>(U32(at));
      default:
        return std::nullopt;
    }
  }

 private:
  const uint8_t* data_;
  size_t size_;
  bool big_endian_;
};

bool StartsWith(const uint8_t* data, size_t size, std::string_view prefix) {
  return size >= prefix.size() && std::memcmp(data, prefix.data(), prefix.size()) == 0;
}

}  // namespace

std::optional<int64_t> ExifOrientation(const uint8_t* data, size_t size) noexcept {
  using namespace std::string_view_literals;
  if (size < kHeaderSize) return std::nullopt;
  const bool little = StartsWith(data, size, "II\x2a\0"sv) || StartsWith(data, size, "II\0\x2a"sv);
  const bool big = StartsWith(data, size, "MM\0\x2a"sv) || StartsWith(data, size, "MM\x2a\0"sv);
  if (!little && !big) return std::nullopt;
  const TiffView tiff(data, size, big);

  uint64_t at = tiff.U32(4);
  if (at + 2 > size) return std::nullopt;
  const int entries = tiff.U16(at);
  at += 2;
  uint64_t outside_bytes = 0;  // total size of values that do not fit into their entries
  for (int entry = 0; entry < entries; ++entry, at += kEntrySize) {
    if (at + kEntrySize > size) return std::nullopt;
    const uint16_t tag = tiff.U16(at), type = tiff.U16(at + 2);
    if (type >= sizeof(kTypeSizes) || kTypeSizes[type] == 0) continue;
    const uint64_t value_bytes = uint64_t{tiff.U32(at + 4)} * kTypeSizes[type];
    if (value_bytes == 0) continue;
    uint64_t value_at = at + 8;
    if (value_bytes > 4) {
      // Pillow skips values larger than the whole block, and gives up at the first value that lies outside of it.
      outside_bytes += value_bytes;
      if (outside_bytes > size) continue;
      value_at = tiff.U32(at + 8);
      if (value_at + value_bytes > size) return std::nullopt;
    }
    if (tag == kOrientationTag) return tiff.Integer(type, value_at).value_or(1);
  }
  return std::nullopt;
}

std::optional<int64_t> XmpOrientation(const uint8_t* xmp, size_t size) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(xmp), size);
  constexpr std::string_view kName = "tiff:Orientation";
  for (size_t at = text.find(kName); at != text.npos; at = text.find(kName, at + 1)) {
    std::string_view rest = text.substr(at + kName.size());
    if (rest.substr(0, 2) == "=\"") {
      rest.remove_prefix(2);
    } else if (rest.substr(0, 1) == ">") {
      rest.remove_prefix(1);
    } else {
      continue;
    }
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') return rest[0] - '0';
  }
  return std::nullopt;
}

}  // namespace jaxdali
