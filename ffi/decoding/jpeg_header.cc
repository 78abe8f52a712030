#include "decoding/jpeg_header.h"

#include <cstring>
#include <optional>
#include <string_view>

#include "decoding/exif.h"

namespace jaxdali {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kExifPrefix = "Exif\0\0"sv;
constexpr std::string_view kXmpPrefix = "http://ns.adobe.com/xap/1.0/\0"sv;

// Marker codes, ITU-T T.81 table B.1.
constexpr uint8_t kTem = 0x01, kDht = 0xC4, kJpg = 0xC8, kDac = 0xCC;
constexpr uint8_t kRst0 = 0xD0, kEoi = 0xD9, kSos = 0xDA, kApp1 = 0xE1;

// A piece of the file; `begin` is null if it does not exist.
struct Segment {
  const uint8_t* begin = nullptr;
  size_t size = 0;

  bool StartsWith(std::string_view prefix) const {
    return size >= prefix.size() && std::memcmp(begin, prefix.data(), prefix.size()) == 0;
  }
  Segment Without(std::string_view prefix) const { return {begin + prefix.size(), size - prefix.size()}; }
};

bool IsStartOfFrame(uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != kDht && marker != kJpg && marker != kDac;
}

// Returns whether a marker has no length. EOI and SOI are among these: a file may begin with an image that has only
// tables.
bool StandsAlone(uint8_t marker) { return marker == kTem || (marker >= kRst0 && marker <= kEoi); }

// Accepts SOF0, 1, 2, and 9 and 10, which are 1 and 2 with arithmetic coding. The others are lossless or hierarchical.
bool IsSequentialOrProgressive(uint8_t sof) { return sof <= 0xC2 || sof == 0xC9 || sof == 0xCA; }

uint16_t BigEndian16(const uint8_t* at) { return static_cast<uint16_t>(at[0] << 8 | at[1]); }

// The metadata blocks that may hold the orientation.
struct Metadata {
  Segment exif;
  Segment xmp;

  void Collect(Segment app1) {
    if (app1.StartsWith(kExifPrefix)) {
      // Later Exif segments continue the first one, which has the first directory.
      if (exif.begin == nullptr) exif = app1.Without(kExifPrefix);
    } else if (app1.StartsWith(kXmpPrefix)) {
      xmp = app1.Without(kXmpPrefix);
    }
  }

  int32_t Orientation() const {
    std::optional<int64_t> found;
    if (exif.begin != nullptr) {
      // Some writers put the prefix twice.
      const Segment tiff = exif.StartsWith(kExifPrefix) ? exif.Without(kExifPrefix) : exif;
      found = ExifOrientation(tiff.begin, tiff.size);
    }
    if (!found && xmp.begin != nullptr) found = XmpOrientation(xmp.begin, xmp.size);
    return found && IsOrientation(*found) ? static_cast<int32_t>(*found) : 1;
  }
};

// Reads the body of a start-of-frame segment. T.81 B.2.2.
bool ReadFrame(uint8_t marker, Segment body, JpegHeader* header) {
  if (body.size < 6) return false;
  header->sof = marker;
  header->precision = body.begin[0];
  header->height = BigEndian16(body.begin + 1);
  header->width = BigEndian16(body.begin + 3);
  header->components = body.begin[5];
  return body.size >= 6 + size_t{3} * header->components;
}

Status JudgeFrame(const JpegHeader& header) {
  if (header.sof == 0 || header.width == 0) return Status::kCorrupt;
  if (!IsSequentialOrProgressive(header.sof) || header.precision != 8 || header.height == 0 ||
      (header.components != 1 && header.components != 3 && header.components != 4)) {
    return Status::kUnsupported;
  }
  return Status::kOk;
}

}  // namespace

Status ParseJpegHeader(const uint8_t* data, size_t size, JpegHeader* header) noexcept {
  *header = JpegHeader();
  if (size < 3 || data[0] != 0xFF || data[1] != 0xD8 || data[2] != 0xFF) return Status::kCorrupt;
  Metadata metadata;
  size_t at = 2;
  while (true) {
    // Skips bytes between segments and allows repeated 0xFF, as every decoder does.
    while (at < size && data[at] != 0xFF) ++at;
    while (at < size && data[at] == 0xFF) ++at;
    if (at >= size) return Status::kTruncated;
    const uint8_t marker = data[at++];
    if (marker == 0 || StandsAlone(marker)) continue;
    if (marker < 0xC0) return Status::kCorrupt;  // reserved codes

    if (size - at < 2) return Status::kTruncated;
    const size_t length = BigEndian16(data + at);
    // A length below its own two bytes is read as an empty segment, as libjpeg and Pillow do.
    const Segment body = {data + at + 2, length < 2 ? 0 : length - 2};
    if (body.size > size - at - 2) return Status::kTruncated;
    at += 2 + body.size;

    if (marker == kApp1) {
      metadata.Collect(body);
      header->orientation = metadata.Orientation();
    } else if (IsStartOfFrame(marker)) {
      if (!ReadFrame(marker, body, header)) return Status::kCorrupt;
    } else if (marker == kSos) {
      return JudgeFrame(*header);
    }
  }
}

}  // namespace jaxdali
