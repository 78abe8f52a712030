// Reads the coefficients of progressive files' blocks, once it is known where their bits begin in each scan; see
// script.h.
#ifndef JAXDALI_JPEG_GATHER_H_
#define JAXDALI_JPEG_GATHER_H_

#include <cstdint>

#include "jpeg/batch.h"
#include "jpeg/dc.h"
#include "jpeg/lookup.h"
#include "jpeg/symbols.h"
#include "jpeg/walk.h"

namespace jaxdali::jpeg {

// Bits from somewhere in a scan on, which is known to hold what is read.
class Bits {
 public:
  JAXDALI_PORTABLE Bits(const uint32_t* words, uint32_t begin) : words_(words), at_(begin) {}

  // The next 32 bits.
  JAXDALI_PORTABLE uint32_t Window() const {
    return FunnelLeft(Load(words_ + at_ / 32 + 1), Load(words_ + at_ / 32), at_ % 32);
  }
  JAXDALI_PORTABLE void Skip(uint32_t count) { at_ += count; }
  JAXDALI_PORTABLE bool Next() {
    const bool bit = (Load(words_ + at_ / 32) >> (31 - at_ % 32) & 1) != 0;
    ++at_;
    return bit;
  }

 private:
  const uint32_t* words_;
  uint32_t at_;
};

class BlockGatherer {
 public:
  // `coefficients` has room for 64, all zeros.
  JAXDALI_PORTABLE BlockGatherer(const Batch& batch, const Script& script, uint32_t component, uint32_t index,
                                 int16_t* coefficients)
      : batch_(batch),
        script_(script),
        picture_(batch.pictures[script.picture]),
        component_(component),
        index_(index),
        coefficients_(coefficients),
        number_(NumberOf(picture_, script, component, index)) {}

  // The block's number in the batch.
  JAXDALI_PORTABLE uint32_t number() const { return number_; }

  JAXDALI_PORTABLE void Gather() {
    int32_t dc = batch_.dc[number_];
    for (uint32_t scan = 0; scan < script_.dc_scans_count; ++scan) {
      dc |= BitOfDc(batch_.progressive.scans[script_.dc_scans + scan]);
    }
    coefficients_[0] = static_cast<int16_t>(dc);
    uint64_t known = 0;  // which coefficients are not zero
    for (uint32_t place = 0; place < script_.scans_count[component_]; ++place) {
      const ScriptScan& scan = batch_.progressive.scans[script_.scans[component_] + place];
      const uint32_t start = batch_.progressive.starts[scan.starts + index_];
      if (start == kNone) continue;
      const Stream& stream = batch_.streams[scan.stream];
      const uint32_t* const words = batch_.words + uint64_t{stream.first_lane} * kLaneWords;
      Bits bits(words, start & ~kOnlyCorrections);
      if (scan.kind == ScanKind::kFirst) {
        ReadFirst(scan, bits, &known);
      } else if ((start & kOnlyCorrections) != 0) {
        Correct(scan, bits, known, scan.first, scan.last + 1u);
      } else {
        Refine(scan, bits, &known);
      }
    }
  }

 private:
  // Returns the bit of DC that a refinement has for this block.
  JAXDALI_PORTABLE int32_t BitOfDc(const ScriptScan& scan) const {
    if (scan.kind != ScanKind::kDcRefine) return 0;
    uint32_t index = index_;
    if (scan.components == 1) {
      if (scan.component != component_) return 0;
    } else {
      const uint32_t block = number_ - picture_.first_block, mcu = block / picture_.blocks_of_mcu;
      const uint32_t place = block - mcu * picture_.blocks_of_mcu;
      uint32_t own = 0;
      while (own < scan.mcu_blocks && FourBits(scan.places, own) != place) ++own;
      if (own == scan.mcu_blocks) return 0;
      index = mcu * scan.mcu_blocks + own;
    }
    const Stream& stream = batch_.streams[scan.stream];
    const uint32_t segment = index / stream.restart_blocks;
    const uint32_t lane = batch_.segments[stream.first_segment + segment].first_lane;
    Bits bits(batch_.words + uint64_t{lane} * kLaneWords, index - segment * stream.restart_blocks);
    return bits.Next() ? 1 << scan.low : 0;
  }

  JAXDALI_PORTABLE void ReadFirst(const ScriptScan& scan, Bits& bits, uint64_t* known) {
    const Lookup& lookup = batch_.progressive.lookups[scan.lookups[0]];
    for (uint32_t next = scan.first; next <= scan.last;) {
      const uint32_t window = bits.Window(), found = Find(lookup, window);
      const uint32_t length = CodeLengthOf(found), size = SymbolOf(found) & 15, run = SymbolOf(found) >> 4;
      if (size == 0 && SymbolOf(found) != kZeroRunSymbol) return;
      bits.Skip(length + size);
      next += run;
      if (size != 0) {
        const int32_t value = Extend(BitsOf(window, length, size), size);
        coefficients_[next] = static_cast<int16_t>(value * (1 << scan.low));
        *known |= uint64_t{1} << next;
      }
      ++next;
    }
  }

  // Reads a bit for each known coefficient from `begin` to `end`: whether it is one farther from zero.
  JAXDALI_PORTABLE void Correct(const ScriptScan& scan, Bits& bits, uint64_t known, uint32_t begin, uint32_t end) {
    for (uint32_t place = begin; place < end; ++place) {
      if ((known >> place & 1) != 0 && bits.Next()) CorrectOne(scan, place);
    }
  }
  JAXDALI_PORTABLE void CorrectOne(const ScriptScan& scan, uint32_t place) {
    const int32_t value = coefficients_[place], step = 1 << scan.low;
    coefficients_[place] = static_cast<int16_t>(value < 0 ? value - step : value + step);
  }

  JAXDALI_PORTABLE void Refine(const ScriptScan& scan, Bits& bits, uint64_t* known) {
    const Lookup& lookup = batch_.progressive.lookups[scan.lookups[0]];
    const uint64_t before = *known;
    for (uint32_t next = scan.first; next <= scan.last; ++next) {
      const uint32_t window = bits.Window(), found = Find(lookup, window);
      const uint32_t length = CodeLengthOf(found), size = SymbolOf(found) & 15;
      uint32_t zeros = SymbolOf(found) >> 4;
      if (size == 0 && SymbolOf(found) != kZeroRunSymbol) {
        bits.Skip(length + zeros);
        return Correct(scan, bits, before, next, scan.last + 1u);
      }
      bits.Skip(length + size);
      for (;; ++next) {
        if ((before >> next & 1) != 0) {
          if (bits.Next()) CorrectOne(scan, next);
        } else if (zeros-- == 0) {
          break;
        }
      }
      if (size == 0) continue;
      const int32_t step = 1 << scan.low;
      coefficients_[next] = static_cast<int16_t>(BitsOf(window, length, 1) != 0 ? step : -step);
      *known |= uint64_t{1} << next;
    }
  }

  const Batch& batch_;
  const Script& script_;
  const Picture& picture_;
  uint32_t component_, index_;
  int16_t* coefficients_;
  uint32_t number_;
};

// Reads the coefficients of a block of a group into `coefficients`, which has room for 64, all zeros. Returns its
// number in the batch; kNone if there is no such block, or nobody needs it.
JAXDALI_PORTABLE uint32_t GatherBlock(const Batch& batch, bool only_luma, const Gathering& group, uint32_t offset,
                                      int16_t* coefficients) {
  const Script& script = batch.progressive.scripts[group.script];
  if (batch.verdicts[script.picture] != static_cast<int32_t>(Verdict::kDecoded)) return kNone;
  const uint32_t index = group.first + offset;
  if (index >= script.blocks[group.component] || (only_luma && group.component > 0)) return kNone;
  BlockGatherer gatherer(batch, script, group.component, index, coefficients);
  gatherer.Gather();
  return gatherer.number();
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_GATHER_H_
