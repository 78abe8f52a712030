// The wire format of a batch of encoded images. jaxdali/_base/batch.py holds the same numbers and says
// what they mean; tests/test_rows.py compares the two.
#ifndef JAXDALI_ROWS_ROWS_H_
#define JAXDALI_ROWS_ROWS_H_

#include <cstdint>

namespace jaxdali {

// Offsets count in units of this many bytes; slots place samples at multiples of it (ring/control.h).
inline constexpr int64_t kAlignment = 64;

// Channels of images that are decoded to RGB, uint8.
inline constexpr int64_t kChannels = 3;

enum RowField : int {
  kOffset = 0,
  kSize = 1,
  kHeight = 2,
  kWidth = 3,
  kComponents = 4,
  kCodec = 5,
  kOrientation = 6,
  kStatus = 7,
  kRowFields = 8,
};

enum class Codec : int32_t { kRaw = 0, kJpeg = 1, kRaw16 = 2 };

// The most channels of pixels that are already decoded: gray, gray and alpha, RGB, RGB and alpha.
inline constexpr int64_t kMostRawChannels = 4;

enum class Status : int32_t {
  kOk = 0,
  kTruncated = 1,
  kCorrupt = 2,
  kTooLarge = 3,
  kUnsupported = 4,
  kMissing = 5,  // there is no image, which is no failure
};
inline constexpr Status kLastStatus = Status::kMissing;

struct Named {
  const char* name;
  int32_t value;
};

inline constexpr Named kRowFieldNames[] = {
    {"OFFSET", kOffset},         {"SIZE", kSize},   {"HEIGHT", kHeight},           {"WIDTH", kWidth},
    {"COMPONENTS", kComponents}, {"CODEC", kCodec}, {"ORIENTATION", kOrientation}, {"STATUS", kStatus},
};

inline constexpr Named kCodecNames[] = {
    {"RAW", static_cast<int32_t>(Codec::kRaw)},
    {"JPEG", static_cast<int32_t>(Codec::kJpeg)},
    {"RAW16", static_cast<int32_t>(Codec::kRaw16)},
};

inline constexpr Named kStatusNames[] = {
    {"OK", static_cast<int32_t>(Status::kOk)},
    {"TRUNCATED", static_cast<int32_t>(Status::kTruncated)},
    {"CORRUPT", static_cast<int32_t>(Status::kCorrupt)},
    {"TOO_LARGE", static_cast<int32_t>(Status::kTooLarge)},
    {"UNSUPPORTED", static_cast<int32_t>(Status::kUnsupported)},
    {"MISSING", static_cast<int32_t>(Status::kMissing)},
};

inline const char* StatusName(Status status) {
  for (const Named& entry : kStatusNames) {
    if (entry.value == static_cast<int32_t>(status)) return entry.name;
  }
  return "UNKNOWN";
}

// One row, widened so that no product of two of its fields overflows.
struct Row {
  int64_t offset_bytes;
  int64_t size_bytes;
  int64_t height;
  int64_t width;
  int64_t components;
  int32_t codec;
  int32_t orientation;
  int32_t status;
};

inline Row LoadRow(const int32_t* fields) {
  return Row{
      int64_t{fields[kOffset]} * kAlignment,
      fields[kSize],
      fields[kHeight],
      fields[kWidth],
      fields[kComponents],
      fields[kCodec],
      fields[kOrientation],
      fields[kStatus],
  };
}

inline void StoreRow(const Row& row, int32_t* fields) {
  fields[kOffset] = static_cast<int32_t>(row.offset_bytes / kAlignment);
  fields[kSize] = static_cast<int32_t>(row.size_bytes);
  fields[kHeight] = static_cast<int32_t>(row.height);
  fields[kWidth] = static_cast<int32_t>(row.width);
  fields[kComponents] = static_cast<int32_t>(row.components);
  fields[kCodec] = row.codec;
  fields[kOrientation] = row.orientation;
  fields[kStatus] = row.status;
}

// Whether the bytes of the row lie within a buffer of `capacity_bytes`.
inline bool LiesWithin(const Row& row, int64_t capacity_bytes) {
  return row.offset_bytes >= 0 && row.size_bytes >= 0 && row.offset_bytes <= capacity_bytes &&
         row.size_bytes <= capacity_bytes - row.offset_bytes;
}

// Whether the row's bytes are already decoded pixels, of any kind.
inline bool IsRaw(const Row& row) {
  return row.codec == static_cast<int32_t>(Codec::kRaw) || row.codec == static_cast<int32_t>(Codec::kRaw16);
}

// Whether these pixels have the form that images are decoded to.
inline bool IsRgb(const Row& row) {
  return row.codec == static_cast<int32_t>(Codec::kRaw) && row.components == kChannels;
}

inline bool IsOrientation(int64_t value) { return value >= 1 && value <= 8; }

// EXIF orientations 5 to 8 exchange height and width.
inline bool SwapsAxes(int32_t orientation) { return orientation >= 5; }

}  // namespace jaxdali

#endif  // JAXDALI_ROWS_ROWS_H_
