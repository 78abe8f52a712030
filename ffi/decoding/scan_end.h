// Finds where the data of a scan of a JPEG file end.
#ifndef JAXDALI_DECODING_SCAN_END_H_
#define JAXDALI_DECODING_SCAN_END_H_

#include <cstdint>

namespace jaxdali {

// Returns the first marker from `at` to `end` at which a scan ends: restart markers are in it. Returns null if there is
// none, or a code before it that is no marker.
const uint8_t* EndOfScan(const uint8_t* at, const uint8_t* end) noexcept;

}  // namespace jaxdali

#endif  // JAXDALI_DECODING_SCAN_END_H_
