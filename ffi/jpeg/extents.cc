#include "jpeg/extents.h"

#include <algorithm>

#include "base/portable.h"
#include "jpeg/tables.h"

namespace jaxdali::jpeg {
namespace {

// Few enough that lanes can count bits in 32-bit numbers.
constexpr uint64_t kMostScanBytes = uint64_t{1} << 28;
// The most bytes of a block: a DC difference of 16 + 11 bits and 63 coefficients of 16 + 10, with every byte stuffed.
constexpr uint64_t kMostBlockBytes = 2 * ((16 + 11 + 63 * (16 + 10) + 7) / 8);
// In addition to blocks, a segment has a restart marker and the bits that fill the byte before it; 16 for the end.
uint64_t MostBytes(uint64_t blocks, uint64_t segments) { return blocks * kMostBlockBytes + segments * 4 + 16; }

// What the device notes of a block in a scan takes so many bytes. So many notes it may have for each block of the
// image.
constexpr uint64_t kStartBytes = 4;
constexpr uint64_t kMostNotes = 32;
// So many are always few enough.
constexpr uint64_t kFewNotes = uint64_t{1} << 20;

bool IsPlausible(const Header& image, const ScanHeader& scan) {
  const ScanCounts counts = CountsOf(image, scan);
  // A scan of DC has at least one bit for each block, and a segment a byte and a marker.
  if (scan.first == 0 && counts.blocks > uint64_t{scan.bytes} * 8) return false;
  return counts.segments * 3 <= scan.bytes && scan.bytes <= MostBytes(counts.blocks, counts.segments);
}

}  // namespace

Factors FactorsOf(const Header& image) {
  constexpr Factors kFactors[] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}};
  return image.components == 1 ? Factors{1, 1} : kFactors[static_cast<int>(image.sampling)];
}

Counts CountsOf(const Header& image) {
  const Factors factors = FactorsOf(image);
  Counts counts;
  counts.mcus_across = CeilDivide<uint32_t>(image.width, factors.across * kSide);
  counts.mcus = counts.mcus_across * CeilDivide<uint32_t>(image.height, factors.down * kSide);
  counts.blocks = counts.mcus * BlocksOfMcu(image);
  counts.segments = image.restart_interval == 0 ? 1 : CeilDivide<uint64_t>(counts.mcus, image.restart_interval);
  return counts;
}

Raster RasterOf(const Header& image, int component) {
  const Factors factors = component == 0 ? Factors{1, 1} : FactorsOf(image);
  const uint32_t across = CeilDivide<uint32_t>(image.width, factors.across * kSide);
  return {across, uint64_t{across} * CeilDivide<uint32_t>(image.height, factors.down * kSide)};
}

ScanCounts CountsOf(const Header& image, const ScanHeader& scan) {
  ScanCounts counts;
  uint64_t mcus;
  if (scan.components_count == 1) {
    counts.mcu_blocks = 1;
    mcus = RasterOf(image, scan.components[0]).blocks;
  } else {
    const uint32_t luma = scan.components[0] == 0 ? LumaBlocks(image.sampling) : 1;
    counts.mcu_blocks = luma + static_cast<uint32_t>(scan.components_count) - 1;
    mcus = CountsOf(image).mcus;
  }
  counts.blocks = mcus * counts.mcu_blocks;
  const uint64_t interval = scan.restart_interval == 0 ? mcus : static_cast<uint64_t>(scan.restart_interval);
  counts.segments = CeilDivide(mcus, interval);
  counts.restart_blocks = static_cast<uint32_t>(std::min(interval, mcus) * counts.mcu_blocks);
  return counts;
}

uint64_t ScanBytes(const Header& image, uint64_t size) {
  if (image.is_progressive()) return image.end - image.scan;
  const Counts counts = CountsOf(image);
  return std::min(size - std::min<uint64_t>(size, image.scan), MostBytes(counts.blocks, counts.segments));
}

uint64_t NoteBytes(const Header& image) {
  // The sum of its DC coefficients, and a mask of the others.
  constexpr uint64_t kBlockBytes = sizeof(int32_t), kMaskBytes = sizeof(uint64_t);
  const Counts counts = CountsOf(image);
  uint64_t bytes = counts.blocks * (kBlockBytes + (image.is_progressive() ? kMaskBytes : 0));
  for (const ScanHeader& scan : image.scans) {
    if (scan.first != 0) bytes += CountsOf(image, scan).blocks * kStartBytes;
  }
  return bytes;
}

uint64_t WindowBytes(const Header& image) {
  constexpr uint64_t kCoefficientBytes = sizeof(int16_t), kSampleBytes = sizeof(uint8_t);
  return CountsOf(image).blocks * kBlockSize * (kCoefficientBytes + kSampleBytes);
}

bool IsPlausible(const Header& image, uint64_t scan_bytes) {
  if (scan_bytes >= kMostScanBytes) return false;
  const Counts counts = CountsOf(image);
  // Each block has at least two codes of at least one bit.
  if (!image.is_progressive()) return counts.blocks * 2 <= scan_bytes * 8;
  uint64_t notes = 0;
  for (const ScanHeader& scan : image.scans) {
    if (!IsPlausible(image, scan)) return false;
    if (scan.first != 0) notes += CountsOf(image, scan).blocks;
  }
  return notes <= std::max(kFewNotes, counts.blocks * kMostNotes);
}

}  // namespace jaxdali::jpeg
