// What a JPEG header says, in one word: whoever has the file at hand reads it, and others need not.
#ifndef JAXDALI_DECODING_KNOWN_HEADER_H_
#define JAXDALI_DECODING_KNOWN_HEADER_H_

#include <cstdint>

#include "decoding/jpeg_header.h"
#include "rows/rows.h"

namespace jaxdali {

// A word without this bit holds no header.
inline constexpr uint64_t kHeaderKnown = uint64_t{1} << 62;

// Packs what `ParseJpegHeader` returned. A JPEG's extents have 16 bits, and its other numbers 8.
inline uint64_t PackHeader(const JpegHeader& header, Status status) {
  return kHeaderKnown | static_cast<uint64_t>(status) << 48 | uint64_t(header.orientation & 0xff) << 40 |
         uint64_t(header.components & 0xff) << 32 | uint64_t(header.width & 0xffff) << 16 |
         uint64_t(header.height & 0xffff);
}

// Returns whether a word holds a header. It comes from memory that others can write: its status is one of those that a
// header can have, and an image that says that it is right has extents, components and an orientation of a file.
inline bool UnpackHeader(uint64_t word, JpegHeader* header, Status* status) {
  const uint64_t code = word >> 48 & 0xff;
  if ((word & kHeaderKnown) == 0 || code > static_cast<uint64_t>(kLastStatus)) return false;
  const Status said = static_cast<Status>(code);
  if (said == Status::kTooLarge || said == Status::kMissing) return false;
  JpegHeader found;
  found.height = static_cast<int32_t>(word & 0xffff);
  found.width = static_cast<int32_t>(word >> 16 & 0xffff);
  found.components = static_cast<int32_t>(word >> 32 & 0xff);
  found.orientation = static_cast<int32_t>(word >> 40 & 0xff);
  const bool is_image =
      found.height > 0 && found.width > 0 && (found.components == 1 || found.components == 3 || found.components == 4);
  if ((said == Status::kOk && !is_image) || found.orientation < 1 || found.orientation > 8) return false;
  *header = found;
  *status = said;
  return true;
}

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_KNOWN_HEADER_H_
