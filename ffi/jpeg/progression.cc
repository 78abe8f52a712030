#include "jpeg/progression.h"

#include <algorithm>

namespace jaxdali::jpeg {
namespace {

constexpr int8_t kNothing = -1;
constexpr int kMostLow = 13;  // libjpeg refuses more, jdphuff.c, start_pass_phuff_decoder
constexpr int kLongest = 16;  // bits of a code

// Whether a marker begins here that ends a scan's data.
bool IsMarker(const uint8_t* at) {
  // Without branches, so that loops become vectors. Stuffing and restart markers are part of the data.
  return (at[0] == 0xFF) & (at[1] != 0) & ((at[1] & 0xF8) != 0xD0);
}

}  // namespace

Progression::Progression() {
  for (auto& coefficients : low_) std::fill_n(coefficients, kBlockSize, kNothing);
}

bool Progression::Add(const ScanHeader& scan, int component) {
  const bool is_dc = scan.first == 0;
  if (is_dc ? scan.last != 0 : scan.components_count != 1 || scan.last < scan.first || scan.last >= kBlockSize) {
    return false;
  }
  if (scan.low > kMostLow || (scan.high != 0 && scan.high != scan.low + 1)) return false;
  int8_t* const low = low_[component];
  if (!is_dc && low[0] == kNothing) return false;
  for (int k = scan.first; k <= scan.last; ++k) {
    if (scan.high == 0 ? low[k] != kNothing : low[k] != scan.high) return false;
    low[k] = static_cast<int8_t>(scan.low);
  }
  return true;
}

bool Progression::IsComplete(int components) const {
  return std::all_of(low_, low_ + components, [](const auto& coefficients) {
    return std::all_of(coefficients, coefficients + kBlockSize, [](int8_t low) { return low == 0; });
  });
}

bool IsSound(const HuffmanSpec& spec, int most_symbol) {
  if (!spec.present) return false;
  uint32_t code = 0;
  int symbols = 0;
  for (int length = 1; length <= kLongest; ++length, code <<= 1) {
    code += spec.counts[length - 1];
    symbols += spec.counts[length - 1];
    // A code of only ones is invalid.
    if (spec.counts[length - 1] != 0 && code >= 1u << length) return false;
  }
  return std::all_of(spec.symbols.begin(), spec.symbols.begin() + symbols,
                     [most_symbol](uint8_t symbol) { return symbol <= most_symbol; });
}

size_t FindMarker(const uint8_t* data, size_t at, size_t size) {
  constexpr size_t kStep = 64;
  for (; size - at > kStep; at += kStep) {
    uint8_t found = 0;
    for (size_t index = 0; index < kStep; ++index) found |= static_cast<uint8_t>(IsMarker(data + at + index));
    if (found != 0) break;
  }
  for (; size - at >= 2; ++at) {
    if (IsMarker(data + at)) return at;
  }
  return size;
}

}  // namespace jaxdali::jpeg
