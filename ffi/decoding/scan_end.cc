#include "decoding/scan_end.h"

#include <cstring>

namespace jaxdali {
namespace {

// Marker codes, ITU-T T.81 table B.1: those below are reserved, and 0 is a byte of the data.
constexpr uint8_t kFirstMarker = 0xC0, kRst0 = 0xD0, kRst7 = 0xD7;

}  // namespace

const uint8_t* EndOfScan(const uint8_t* at, const uint8_t* end) noexcept {
  while ((at = static_cast<const uint8_t*>(std::memchr(at, 0xFF, end - at))) != nullptr) {
    const uint8_t* const marker = at;
    while (at < end && *at == 0xFF) ++at;
    if (at == end) return nullptr;
    if (*at == 0 || (*at >= kRst0 && *at <= kRst7)) continue;
    return *at < kFirstMarker ? nullptr : marker;
  }
  return nullptr;
}

}  // namespace jaxdali
