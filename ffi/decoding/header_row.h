// Describes a JPEG file by its header, as a row of a batch.
#ifndef JAXDALI_DECODING_HEADER_ROW_H_
#define JAXDALI_DECODING_HEADER_ROW_H_

#include <cstdint>

namespace jaxdali {

inline constexpr int kExtents = 3;  // height, width, channels

// Fills `row[kRowFields]` and `extents[kExtents]`, which are zero before, for a file at `offset` in `buffer`. `known`
// may hold its header (known_header.h); then the file is not read. A multiple of kAlignment that an int32 can count in
// units of it is the only offset that a row can have.
void DescribeFile(const uint8_t* buffer, uint64_t offset, uint64_t size, uint64_t known, uint64_t max_image_pixels,
                  int32_t* row, int32_t* extents) noexcept;

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_HEADER_ROW_H_
