// Walks through a segment of a progressive scan, by a warp: finds where each block's bits begin, and which coefficients
// are not zero; of DC coefficients, finds the values. See script.h.
#ifndef JAXDALI_JPEG_WALK_H_
#define JAXDALI_JPEG_WALK_H_

#include <cstdint>

#include "base/warp.h"
#include "jpeg/batch.h"
#include "jpeg/dc.h"
#include "jpeg/symbols.h"

namespace jaxdali::jpeg {

// Returns the number, in the batch, of a component's block in raster order.
JAXDALI_PORTABLE uint32_t NumberOf(const Picture& picture, const Script& script, uint32_t component, uint32_t index) {
  const bool is_luma = component == 0 && picture.components > 1;
  const uint32_t across = is_luma ? picture.luma_across : 1, down = is_luma ? picture.luma_down : 1;
  const uint32_t row = index / script.across[component], column = index - row * script.across[component];
  const uint32_t place = is_luma ? row % down * across + column % across
                                 : (picture.components > 1 ? LumaBlocksOf(picture) + component - 1 : 0);
  const uint32_t mcu = row / down * picture.mcus_across + column / across;
  return picture.first_block + mcu * picture.blocks_of_mcu + place;
}

// Blocks that end in a sound way end before the bits do.
JAXDALI_TEAM bool IsEnd(uint32_t bit, uint32_t bits) { return bit <= bits && bits - bit < 8; }

// For each of the blocks that are walked together, a list of the coefficients that are still zero, for which a
// refinement has symbols; behind them, more than any block has. So one load finds what a symbol passes over, and
// whether that is there.
class ZeroLists {
 public:
  // Scans of AC coefficients have one table. The lists are in the place of the others.
  JAXDALI_TEAM explicit ZeroLists(WalkShared& shared) : lists_(reinterpret_cast<uint8_t*>(shared.lookups + 1)) {}

  // Makes the list of each lane's block.
  JAXDALI_TEAM void Fill(const PerLane<uint64_t>& known, uint64_t band) {
    SyncWarp();
    known.Each([&](uint32_t lane, uint64_t mask) {
      uint8_t* const list = lists_ + lane * kStride;
      JAXDALI_UNROLL
      for (uint32_t place = 0; place < kBlockSize; place += 4) {
        *reinterpret_cast<uint32_t*>(list + place) = kBeyondAll * 0x01010101u;
      }
      const uint64_t zeros = band & ~mask;
      uint32_t count = 0;
      JAXDALI_UNROLL
      for (uint32_t place = 1; place < kBlockSize; ++place) {
        if ((zeros >> place & 1) != 0) list[count++] = static_cast<uint8_t>(place);
      }
    });
    SyncWarp();
  }
  // Returns the last of a block's first `count` zeros, `count` being at least 1; if there are fewer, more than 63.
  JAXDALI_TEAM uint32_t Last(uint32_t block, uint32_t count) const {
    return lists_[block * kStride + Least<uint32_t>(count, kBlockSize) - 1];
  }

 private:
  static constexpr uint8_t kBeyondAll = 127;
  static constexpr uint32_t kStride = kBlockSize + 4;  // so that lanes write to different banks
  static_assert(kBlocksWalked == kWarp && kWarp * kStride <= (kMostComponents - 1) * sizeof(Lookup), "lists have room");
  uint8_t* lists_;
};

// What scans have in common.
class Walker {
 public:
  JAXDALI_TEAM Walker(const Batch& batch, const Walk& walk)
      : batch_(batch),
        scan_(batch.progressive.scans[walk.scan]),
        stream_(batch.streams[scan_.stream]),
        script_(batch.progressive.scripts[batch.pictures[scan_.picture].script]),
        number_(walk.scan),
        coefficient_(scan_.first),
        last_(scan_.last) {
    is_sound = OfFirstLane(batch.verdicts[scan_.picture]) == static_cast<int32_t>(Verdict::kDecoded);
    // Of a refused file, there may be no segments.
    if (!is_sound) {
      segment_ = {};
      segment_.first_block = walk.segment * stream_.restart_blocks;
      segment_.blocks = Least(stream_.restart_blocks, stream_.blocks - segment_.first_block);
      return;
    }
    segment_ = batch.segments[stream_.first_segment + walk.segment];
    first_bit_ = (segment_.first_lane - stream_.first_lane) * kLaneWords * kWordBits;
  }

  JAXDALI_TEAM ScanKind kind() const { return scan_.kind; }

  // Whatever was found, others no longer have to wait.
  JAXDALI_TEAM void End() {
    if (!is_sound && IsFirstLane()) batch_.verdicts[scan_.picture] = static_cast<int32_t>(Verdict::kRefused);
    if (announced_ < segment_.blocks) AnnounceUpTo(segment_.blocks);
  }

  template <ScanKind kKind>
  JAXDALI_TEAM SymbolReader<kKind> Symbols(WalkShared& shared) const {
    return SymbolReader<kKind>(scan_, shared, batch_.words + uint64_t{segment_.first_lane} * kLaneWords, segment_.bits);
  }

  JAXDALI_TEAM void RefineDc() {
    // One bit for each block.
    is_sound = IsEnd(segment_.blocks, segment_.bits);
  }

  JAXDALI_TEAM void ReadDc(WalkShared& shared) {
    auto symbols = Symbols<ScanKind::kDcFirst>(shared);
    int32_t last[kMostComponents] = {0, 0, 0};
    const Picture& picture = batch_.pictures[scan_.picture];
    const uint32_t components = scan_.components_of, tables = scan_.tables, mcu_blocks = scan_.mcu_blocks;
    const int32_t most = 32767 >> scan_.low;
    uint32_t bit = 0, place = 0;
    for (uint32_t first = 0; first < segment_.blocks; first += kBlocksWalked) {
      const uint32_t count = Least(kBlocksWalked, segment_.blocks - first);
      PerLane<int32_t> values;
      values.Fill([](uint32_t) { return 0; });
      for (uint32_t index = 0; index < count; ++index) {
        const uint32_t component = FourBits(components, place);
        const Symbol symbol = symbols.At(bit, FourBits(tables, place));
        bit += symbol.bits();
        const int32_t value = (component == 0 ? last[0] : component == 1 ? last[1] : last[2]) + symbol.difference();
        if (symbol.is_unsound() || value > most || value < -most || bit > segment_.bits) return Refuse();
        JAXDALI_UNROLL
        for (uint32_t other = 0; other < kMostComponents; ++other)
          last[other] = other == component ? value : last[other];
        values.Set(index, value);
        place = place + 1 == mcu_blocks ? 0 : place + 1;
      }
      values.Each([&](uint32_t lane, int32_t value) {
        if (lane < count) batch_.dc[NumberInScan(picture, first + lane)] = value * (1 << scan_.low);
      });
    }
    if (!IsEnd(bit, segment_.bits)) Refuse();
  }

  template <ScanKind kKind>
  JAXDALI_TEAM void ReadBlocks(WalkShared& shared) {
    auto symbols = Symbols<kKind>(shared);
    const uint64_t band = (~uint64_t{0} >> (63 - scan_.last)) & (~uint64_t{0} << scan_.first);
    uint64_t* const masks = batch_.progressive.masks + script_.masks[scan_.component] + segment_.first_block;
    uint32_t* const starts = batch_.progressive.starts + scan_.starts + segment_.first_block;
    ZeroLists zeros(shared);
    uint32_t bit = 0, run = 0;  // `run`: how many of the next blocks have no symbols
    for (uint32_t first = 0; first < segment_.blocks; first += kBlocksWalked) {
      const uint32_t count = Least(kBlocksWalked, segment_.blocks - first);
      PerLane<uint64_t> before, added;
      PerLane<uint32_t> begin;
      if (kKind == ScanKind::kRefine) {
        Await(segment_.first_block + first + count);
        before.Fill([&](uint32_t lane) { return lane < count ? LoadShared(masks + first + lane) & band : 0; });
        // A run over all blocks leaves nothing to be found.
        if (run < count) zeros.Fill(before, band);
      }
      added.Fill([](uint32_t) { return uint64_t{0}; });
      begin.Fill([](uint32_t) { return kNone; });
      for (uint32_t index = 0; index < count; ++index) {
        const uint64_t known = kKind == ScanKind::kRefine ? before.At(index) : 0;
        if (run > 0) {
          --run;
          if (kKind == ScanKind::kRefine) begin.Set(index, kOnlyCorrections | (first_bit_ + bit));
          bit += CountBits(known);
          continue;
        }
        uint64_t found = 0;
        const uint32_t at = bit;
        const bool is_read = kKind == ScanKind::kRefine ? Refine(symbols, zeros, index, known, &bit, &run, &found)
                                                        : ReadBlock(symbols, &bit, &run, &found);
        if (!is_read || bit > segment_.bits) return Refuse();
        added.Set(index, found);
        // A block of zeros has no coefficients to gather.
        if (kKind == ScanKind::kRefine || found != 0) begin.Set(index, first_bit_ + at);
      }
      added.Each([&](uint32_t lane, uint64_t mask) {
        if (mask != 0) SetBits(masks + first + lane, mask);
      });
      begin.Each([&](uint32_t lane, uint32_t start) {
        if (lane < count) starts[first + lane] = start;
      });
      AnnounceUpTo(first + count);
    }
    if (run != 0 || !IsEnd(bit, segment_.bits)) Refuse();
  }

  bool is_sound;

 private:
  JAXDALI_TEAM void Refuse() { is_sound = false; }

  // Reads a block's coefficients for the first time. Returns false if they are unsound.
  JAXDALI_TEAM bool ReadBlock(SymbolReader<ScanKind::kFirst>& symbols, uint32_t* bit, uint32_t* run, uint64_t* found) {
    uint32_t next = coefficient_;
    while (next <= last_) {
      const Symbol symbol = symbols.At(*bit, 0);
      *bit += symbol.bits();
      if (symbol.advance() == 0) {
        *run = symbol.run() - 1;
        return true;
      }
      next += symbol.advance();
      *found |= uint64_t{symbol.has_coefficient()} << (next - 1) % kBlockSize;
    }
    return next == last_ + 1;
  }
  JAXDALI_TEAM bool ReadBlock(SymbolReader<ScanKind::kRefine>&, uint32_t*, uint32_t*, uint64_t*) { return false; }

  // Reads a block's refinement; its coefficients `known` are not zero, and have a bit of correction each, behind the
  // symbol that passes over them.
  JAXDALI_TEAM bool Refine(SymbolReader<ScanKind::kRefine>& symbols, const ZeroLists& zeros, uint32_t block,
                           uint64_t known, uint32_t* bit, uint32_t* run, uint64_t* found) {
    uint32_t next = coefficient_, passed = 0;  // how many zeros were passed
    while (next <= last_) {
      const Symbol symbol = symbols.At(*bit, 0);
      *bit += symbol.bits();
      if (symbol.advance() == 0) {
        *bit += CountBits(known >> next);
        *run = symbol.run() - 1;
        return true;
      }
      passed += symbol.advance();
      const uint32_t place = zeros.Last(block, passed);
      *bit += place + 1 - next - symbol.advance();
      *found |= uint64_t{symbol.has_coefficient()} << place % kBlockSize;
      next = place + 1;
    }
    return next <= kBlockSize;
  }
  JAXDALI_TEAM bool Refine(SymbolReader<ScanKind::kFirst>&, const ZeroLists&, uint32_t, uint64_t, uint32_t*, uint32_t*,
                           uint64_t*) {
    return false;
  }

  // Returns the number, in the batch, of a segment's block in the order of the scan.
  JAXDALI_TEAM uint32_t NumberInScan(const Picture& picture, uint32_t index) const {
    const uint32_t of_scan = segment_.first_block + index;
    if (scan_.components == 1) return NumberOf(picture, script_, scan_.component, of_scan);
    const uint32_t mcu = of_scan / scan_.mcu_blocks;
    return picture.first_block + mcu * picture.blocks_of_mcu + FourBits(scan_.places, of_scan - mcu * scan_.mcu_blocks);
  }

  // Waits until the scans that this one refines were walked up to a block.
  JAXDALI_TEAM void Await(uint32_t block) {
    if (block <= awaited_) return;
    uint32_t reached = kNone;
    for (uint32_t other = scan_.awaited; other < scan_.awaited + scan_.awaited_count; ++other) {
      const Stream& stream = batch_.streams[batch_.progressive.scans[other].stream];
      // Segments are walked in any order.
      const bool is_in_order = stream.segments == 1;
      const uint32_t found = AwaitCount(batch_.progressive.progress + other, is_in_order ? block : stream.blocks);
      reached = Least(reached, is_in_order ? found : kNone);
    }
    awaited_ = reached;
  }

  JAXDALI_TEAM void AnnounceUpTo(uint32_t block) {
    Announce(batch_.progressive.progress + number_, block - announced_);
    announced_ = block;
  }

  const Batch& batch_;
  const ScriptScan& scan_;
  const Stream& stream_;
  const Script& script_;
  Segment segment_;
  uint32_t number_;
  uint32_t coefficient_, last_;  // the first and last coefficient
  uint32_t first_bit_ = 0, awaited_ = 0, announced_ = 0;
};

// `shared` has copies of the scan's tables.
JAXDALI_TEAM void WalkThrough(const Batch& batch, const Walk& walk, WalkShared& shared) {
  Walker walker(batch, walk);
  if (walker.is_sound) {
    switch (walker.kind()) {
      case ScanKind::kDcFirst:
        walker.ReadDc(shared);
        break;
      case ScanKind::kDcRefine:
        walker.RefineDc();
        break;
      case ScanKind::kFirst:
        walker.ReadBlocks<ScanKind::kFirst>(shared);
        break;
      case ScanKind::kRefine:
        walker.ReadBlocks<ScanKind::kRefine>(shared);
        break;
    }
  }
  walker.End();
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_WALK_H_
