#include "calls/paste/cpu_pasting.h"

#include <algorithm>
#include <cstring>

namespace jaxdali::cpu {
namespace {

constexpr int64_t kRowsOfPart = 64;

int64_t PartsOfCanvas(const Pasting& p) { return (p.height + kRowsOfPart - 1) / kRowsOfPart; }

// Pastes a region's part of one row of a canvas. Sums of positions and extents need more than 32 bits.
void PasteRow(const Pasting& p, const PastedImages& source, int64_t region, int64_t y, uint8_t* row) {
  const int32_t *const start = p.starts + 2 * region, *const extent = p.extents + 2 * region,
                       *const place = p.places + 2 * region;
  const int64_t top = place[0], left = place[1], down = y - top;
  if (down < 0 || down >= extent[0]) return;
  const int64_t begin = std::clamp<int64_t>(left, 0, p.width);
  const int64_t end = std::clamp<int64_t>(left + std::max(extent[1], 0), begin, p.width);
  // The part of the row that lies in the image.
  const int64_t from = start[0] + down, shift = start[1] - left;
  const bool there = source.samples > 0 && from >= 0 && from < source.height;
  const int64_t first = there ? std::clamp<int64_t>(-shift, begin, end) : end;
  const int64_t last = there ? std::clamp<int64_t>(source.width - shift, first, end) : end;
  std::memset(row + begin * p.pixel_bytes, 0, (first - begin) * p.pixel_bytes);
  if (first < last) {
    const int64_t sample = std::clamp<int64_t>(p.ids[region], 0, source.samples - 1);
    const int64_t pixel = (sample * source.height + from) * source.width + first + shift;
    std::memcpy(row + first * p.pixel_bytes, source.pixels + pixel * p.pixel_bytes, (last - first) * p.pixel_bytes);
  }
  std::memset(row + last * p.pixel_bytes, 0, (end - last) * p.pixel_bytes);
}

}  // namespace

int64_t PastingParts(const Pasting& pasting) { return pasting.canvases * PartsOfCanvas(pasting); }

void Paste(const Pasting& p, int64_t part) noexcept {
  const int64_t canvas = part / PartsOfCanvas(p), begin = part % PartsOfCanvas(p) * kRowsOfPart;
  const int64_t end = std::min(begin + kRowsOfPart, p.height), bytes = p.width * p.pixel_bytes;
  const int64_t count = std::min<int64_t>(p.counts[canvas], p.regions);
  for (int64_t y = begin; y < end; ++y) {
    uint8_t* const row = p.result + (canvas * p.height + y) * bytes;
    std::memset(row, 0, bytes);
    for (int64_t k = 0; k < count; ++k) {
      PasteRow(p, p.sources[p.sources.size() == 1 ? 0 : k], canvas * p.regions + k, y, row);
    }
  }
}

}  // namespace jaxdali::cpu
