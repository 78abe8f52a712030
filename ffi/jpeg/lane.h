// One lane of the entropy decoder: how it reads symbols, and the three tasks of lanes.
//
// A lane that begins in the middle of a file knows neither where a code begins nor which block it is in. It guesses,
// and after some time its state becomes true, because Huffman codes synchronize themselves. So each lane first decodes
// its own piece from a guess, and records its state at checkpoints. Then it decodes on into the pieces of the next
// lanes until its state equals one that these have recorded: from there on, it is right if they are. The first lane of
// a segment was right from the beginning, and the true state at the start of every piece follows from it. See
// A. Weissenberger and B. Schmidt, "Accelerating JPEG decompression on GPUs", arXiv:2111.09219.
#ifndef JAXDALI_JPEG_LANE_H_
#define JAXDALI_JPEG_LANE_H_

#include <cstdint>

#include "jpeg/batch.h"
#include "jpeg/tables.h"

namespace jaxdali::jpeg {

// The state between two symbols: the bit within its word, the position in a block, and the block in an MCU.
inline constexpr uint32_t kStateBits = 15;
inline constexpr uint32_t kStateMask = (1u << kStateBits) - 1;
JAXDALI_PORTABLE uint32_t PackState(uint32_t bit, uint32_t place, uint32_t block) {
  return bit | place << 5 | block << 11;
}

// Links between lanes, see `Overflow`.
inline constexpr uint32_t kToEnd = 0x100, kLost = 0x200, kLinkCount = 0xFF;

class Lane {
 public:
  // Starts in word `word`.
  JAXDALI_PORTABLE void Begin(const uint32_t* tables, const uint32_t* words, uint32_t word, uint32_t state) {
    tables_ = tables;
    words_ = words;
    word_ = word;
    bit_ = state & 31;
    place_ = state >> 5 & 63;
    order_ = tables[kOrderAt + (state >> 11 & 15)];
    block_ = state >> 11 & 15;
    high_ = Load(words + word);
    low_ = Load(words + word + 1);
    next_ = Load(words + word + 2);
    ended = 0;
  }

  // Reads a symbol, which takes at least one bit. Returns whether the next symbol begins in another word.
  JAXDALI_PORTABLE bool Step() {
    window = FunnelLeft(low_, high_, bit_);
    const uint32_t base = (order_ >> 8) + (place_ != 0 ? kFirstLevel : 0);
    entry = tables_[base + (window >> (32 - kFirstBits))];
    if (entry & kLink) {
      entry = tables_[kSecondLevelAt + (entry >> 8 & 0xFFFF) + ((window << kFirstBits) >> (entry & 31))];
    }
    place_ += Advance(entry);
    reached = place_;
    if (place_ >= kBlockSize) {
      place_ = 0;
      block_ = order_ & 15;
      order_ = tables_[kOrderAt + block_];
      ++ended;
    }
    bit_ += TotalLength(entry);
    if (bit_ < kWordBits) return false;
    bit_ -= kWordBits;
    ++word_;
    high_ = low_;
    low_ = next_;
    next_ = Load(words_ + word_ + 2);
    return true;
  }

  JAXDALI_PORTABLE uint32_t word() const { return word_; }
  JAXDALI_PORTABLE uint32_t bit() const { return bit_; }
  JAXDALI_PORTABLE uint32_t place() const { return place_; }
  JAXDALI_PORTABLE uint32_t state() const { return PackState(bit_, place_, block_); }

  // Returns the value that a symbol's bits hold, T.81 figure F.12.
  JAXDALI_PORTABLE int32_t Value() const {
    // If the first bit is zero, the value is that of the inverted bits, negated.
    const uint32_t bits = window << CodeLength(entry), inverted = static_cast<int32_t>(bits) < 0 ? 0 : kNone;
    const uint32_t magnitude = FunnelLeft(bits ^ inverted, 0, ValueLength(entry));
    return static_cast<int32_t>((magnitude ^ inverted) - inverted);
  }

  uint32_t entry, window, reached;  // the last symbol's entry, its bits, and the place in the block that it reached
  uint32_t ended;                   // the number of blocks that have ended

 private:
  const uint32_t* tables_;
  const uint32_t* words_;
  uint32_t high_, low_, next_, word_, bit_, place_, block_, order_;
};

// Returns the word where a segment ends, rounded up to a checkpoint.
JAXDALI_PORTABLE uint32_t EndOfSegment(const Segment& segment) {
  const uint32_t checkpoints = CeilDivide(segment.bits, kWordBits * kCheckpointWords);
  return segment.first_lane * kLaneWords + checkpoints * kCheckpointWords;
}
JAXDALI_PORTABLE uint32_t LastLane(const Segment& segment) {
  return segment.first_lane + CeilDivide(segment.bits, kLaneWords * kWordBits) - 1;
}

// Decodes a lane's own piece from a guess, and records at checkpoints its state and the number of blocks that ended.
JAXDALI_PORTABLE void Speculate(const Batch& batch, const uint32_t* tables, uint32_t number) {
  const uint32_t segment = batch.segment_of_lane[number];
  if (segment == kNone) return;
  const uint32_t end = Least((number + 1) * kLaneWords, EndOfSegment(batch.segments[segment]));
  uint32_t* checkpoint = batch.checkpoints + number * kCheckpoints;
  Lane lane;
  lane.Begin(tables, batch.words, number * kLaneWords, 0);
  for (;;) {
    if (!lane.Step() || lane.word() % kCheckpointWords != 0) continue;
    *checkpoint++ = lane.state() | lane.ended << kStateBits;
    if (lane.word() == end) return;
  }
}

// Decodes on from the end of a lane's piece. Records a link:
//   n            somewhere in the piece of the n-th lane after it, their states are equal; `merged` is how many blocks
//                end in that whole piece
//   kToEnd | n   it reached the end of the segment, after n whole pieces in addition to its own
//   kLost        neither happened within kMostPassed pieces
// Also records the state at the end of each piece that it passed, with the number of blocks that ended in that piece.
JAXDALI_PORTABLE void Overflow(const Batch& batch, const uint32_t* tables, uint32_t number) {
  const uint32_t segment = batch.segment_of_lane[number];
  if (segment == kNone) return;
  const uint32_t last = EndOfSegment(batch.segments[segment]);
  const uint32_t first = (number + 1) * kLaneWords;
  if (first >= last) {
    batch.links[number] = kToEnd;
    return;
  }
  const uint32_t* checkpoint = batch.checkpoints + (number + 1) * kCheckpoints;
  uint32_t passed = 0;
  Lane lane;
  lane.Begin(tables, batch.words, first, checkpoint[-1] & kStateMask);
  for (;; ++checkpoint) {
    while (!lane.Step() || lane.word() % kCheckpointWords != 0) {
    }
    if ((*checkpoint & kStateMask) == lane.state()) {
      const uint32_t end = Least((number + 2 + passed) * kLaneWords, last);
      const uint32_t whole = batch.checkpoints[end / kCheckpointWords - 1];
      batch.links[number] = passed + 1;
      batch.merged[number] = lane.ended + (whole >> kStateBits) - (*checkpoint >> kStateBits);
      return;
    }
    if (lane.word() == last) {
      batch.links[number] = kToEnd | passed;
      return;
    }
    if (lane.word() % kLaneWords != 0) continue;
    batch.passed[passed * batch.lanes + number] = lane.state() | lane.ended << kStateBits;
    lane.ended = 0;
    if (++passed == kMostPassed) {
      batch.links[number] = kLost;
      return;
    }
  }
}

// Decodes the blocks that begin in a lane's piece, once the true state at its start is known.
class Writer {
 public:
  // Returns false if there is nothing to do.
  JAXDALI_PORTABLE bool Begin(const Batch& batch, const uint32_t* tables, uint32_t number) {
    const uint32_t index = batch.segment_of_lane[number];
    if (index == kNone) return false;
    segment_ = batch.segments[index];
    if (batch.verdicts[segment_.picture] != static_cast<int32_t>(Verdict::kDecoded)) return false;
    const Entry entry = batch.entries[number];
    begin_ = segment_.first_lane * kLaneWords;
    limit_ = segment_.first_block + segment_.blocks;
    is_last_ = number == LastLane(segment_);
    end_ = is_last_ ? EndOfSegment(segment_) : (number + 1) * kLaneWords;
    block = entry.block;
    lane_.Begin(tables, batch.words, number * kLaneWords, entry.state);
    keeps = lane_.place() == 0 && block < limit_;
    is_sound = true;
    return block < limit_;
  }

  // Reads a symbol and, if `keeps`, stores its coefficient in `target`, which has room for 64. Returns whether a block
  // has ended.
  JAXDALI_PORTABLE bool Step(int16_t* target) {
    const uint32_t before = lane_.ended;
    lane_.Step();
    const uint32_t reached = lane_.reached;
    if (keeps) {
      const uint32_t advance = Advance(lane_.entry);
      if ((lane_.entry & kUnsound) != 0 || (reached > kBlockSize && advance != kWholeBlock)) {
        is_sound = false;
      } else if (ValueLength(lane_.entry) != 0) {
        target[reached - 1] = static_cast<int16_t>(lane_.Value());
      }
    }
    return lane_.ended != before;
  }

  // To be called after the end of a block. Returns whether there is more to do.
  JAXDALI_PORTABLE bool Next() {
    ++block;
    keeps = lane_.word() < end_ && block < limit_;
    if (keeps) return true;
    if (block >= limit_) {
      // The last block of a segment must end in the segment's last byte.
      const uint32_t bits = (lane_.word() - begin_) * kWordBits + lane_.bit();
      if (bits > segment_.bits || segment_.bits - bits >= 8) is_sound = false;
    } else if (is_last_) {
      is_sound = false;
    }
    return false;
  }

  JAXDALI_PORTABLE uint32_t picture() const { return segment_.picture; }

  uint32_t block;  // the block that is being read
  bool keeps;      // whether it began in this lane's piece
  bool is_sound;   // false once something was found that a sound file does not have

 private:
  Lane lane_;
  Segment segment_;
  uint32_t limit_, begin_, end_;  // the end of blocks; the words where the segment begins and the lane's part ends
  bool is_last_;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_LANE_H_
