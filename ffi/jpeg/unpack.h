// Removes stuffing and markers from a file's entropy-coded data, and divides the rest into pieces for lanes.
#ifndef JAXDALI_JPEG_UNPACK_H_
#define JAXDALI_JPEG_UNPACK_H_

#include <cstdint>

#include "base/team.h"
#include "base/warp.h"
#include "jpeg/batch.h"

namespace jaxdali::jpeg {

inline constexpr uint32_t kThreadBytes = 32;  // that a thread looks at; each has a bit in masks
inline constexpr uint32_t kChunk = kTeam * kThreadBytes;
inline constexpr uint32_t kChunkRestarts = 2048;  // the most in a chunk; no camera writes a tenth of that

inline constexpr uint8_t kMarker = 0xFF, kFirstRestart = 0xD0;

// What the threads of a team share.
struct UnpackShared {
  TeamSums sums;                          // each thread's bytes of data, and from bit 16 on its restart markers
  uint32_t data[kTeam], restarts[kTeam];  // which of a thread's bytes are data, and which begin a restart marker
  uint32_t stop;                          // where a marker ends the data; kNone if not in this chunk
  bool is_sound, is_done;
  uint32_t segment;                 // the number of the current segment,
  uint32_t first_lane;              // its first lane,
  uint32_t first_byte;              // and how many bytes of data come before it
  uint32_t bytes;                   // of data before this chunk
  uint32_t chunk_lane, chunk_byte;  // first_lane and first_byte of the segment at the start of the chunk
  uint32_t restart_byte[kChunkRestarts], restart_lane[kChunkRestarts];
  uint8_t restart_code[kChunkRestarts];
};

// Entropy-coded data as stored in the file.
struct Scan {
  const uint8_t* bytes;
  uint32_t size;

  JAXDALI_TEAM uint32_t At(uint32_t index) const { return index < size ? Load(bytes + index) : 1; }
};

// Which of a thread's bytes are data, begin a restart marker, or begin another marker.
struct Look {
  uint32_t data, restarts, stops;
};
JAXDALI_TEAM Look LookAt(const Scan& scan, uint32_t begin) {
  if (begin >= scan.size) return {0, 0, 0};
  uint32_t markers = 0, zeros = 0, restarts = 0, next = scan.At(begin);
  for (uint32_t bit = 0; bit < kThreadBytes; ++bit) {
    const uint32_t value = next;
    next = scan.At(begin + bit + 1);
    if (value != kMarker) continue;
    markers |= 1u << bit;
    zeros |= (next == 0 ? 1u : 0u) << bit;
    restarts |= ((next & 0xF8) == kFirstRestart ? 1u : 0u) << bit;
  }
  const uint32_t before = begin > 0 && scan.At(begin - 1) == kMarker ? 1 : 0;
  const uint32_t left = scan.size - begin, there = left < kThreadBytes ? (1u << left) - 1 : kNone;
  // A byte 0xFF is data if a zero follows it. No other byte that follows a 0xFF is data.
  return {(zeros | (~markers & ~(markers << 1 | before))) & there, restarts, markers & ~zeros & ~restarts};
}

// Ends the current segment before the data byte `byte`.
JAXDALI_TEAM void EndSegment(const Batch& batch, const Stream& stream, UnpackShared& shared, uint32_t byte) {
  const uint32_t bytes = byte - shared.first_byte;
  if (bytes == 0) shared.is_sound = false;
  const uint32_t first_block = stream.first_block + shared.segment * stream.restart_blocks;
  const uint32_t left = stream.first_block + stream.blocks - first_block;
  batch.segments[stream.first_segment + shared.segment] = {stream.picture, shared.first_lane, bytes * 8, first_block,
                                                           Least(stream.restart_blocks, left)};
  shared.first_lane += CeilDivide(bytes, batch.lane_words * 4);
  shared.first_byte = byte;
  ++shared.segment;
}

// Begins a segment at each restart marker, in one thread; the markers must be in order.
JAXDALI_TEAM void CutAtRestarts(const Batch& batch, const Stream& stream, UnpackShared& shared, uint32_t restarts) {
  shared.chunk_lane = shared.first_lane;
  shared.chunk_byte = shared.first_byte;
  if (restarts > kChunkRestarts) shared.is_sound = false;
  for (uint32_t index = 0; index < restarts && shared.is_sound; ++index) {
    if (shared.segment + 1 >= stream.segments || shared.restart_code[index] != kFirstRestart + shared.segment % 8) {
      shared.is_sound = false;
      return;
    }
    EndSegment(batch, stream, shared, shared.restart_byte[index]);
    shared.restart_lane[index] = shared.first_lane;
  }
}

// Writes contiguous bytes to where lanes read them. The first byte of a word is its highest one.
class ByteWriter {
 public:
  JAXDALI_TEAM explicit ByteWriter(uint32_t* words) : words_(words) {}

  // Continues at byte `at`.
  JAXDALI_TEAM void MoveTo(uint64_t at) {
    Flush();
    at_ = at;
  }
  JAXDALI_TEAM void Put(uint32_t byte) {
    word_ = word_ << 8 | byte;
    ++held_;
    if (++at_ % 4 == 0) Flush();
  }
  // Writes the bytes held. If they are not a whole word, writes only them: the rest may be another thread's.
  JAXDALI_TEAM void Flush() {
    if (held_ == 4) {
      words_[at_ / 4 - 1] = word_;
    } else {
      for (uint32_t back = 1; back <= held_; ++back, word_ >>= 8) {
        reinterpret_cast<uint8_t*>(words_)[(at_ - back) ^ 3] = static_cast<uint8_t>(word_);
      }
    }
    held_ = 0;
  }

 private:
  uint32_t* words_;
  uint64_t at_ = 0;
  uint32_t word_ = 0, held_ = 0;
};

// How many bytes of data, and how many restart markers of the chunk, come before a thread's bytes.
struct Before {
  uint32_t bytes, restarts;
};
JAXDALI_TEAM Before BeforeThread(const UnpackShared& shared, uint32_t thread) {
  const uint32_t sum = thread == 0 ? 0 : shared.sums.values[thread - 1];
  return {shared.bytes + (sum & 0xFFFF), sum >> 16};
}

JAXDALI_TEAM void PlaceBytes(const Batch& batch, const Scan& scan, const UnpackShared& shared, uint32_t thread,
                             uint32_t begin) {
  Before before = BeforeThread(shared, thread);
  ByteWriter writer(batch.words);
  const auto move = [&](uint32_t first_lane, uint32_t first_byte) {
    writer.MoveTo(uint64_t{first_lane} * batch.lane_words * 4 + (before.bytes - first_byte));
  };
  const auto move_behind = [&](uint32_t restart) { move(shared.restart_lane[restart], shared.restart_byte[restart]); };
  if (before.restarts == 0) {
    move(shared.chunk_lane, shared.chunk_byte);
  } else {
    move_behind(before.restarts - 1);
  }
  const uint32_t data = shared.data[thread], restarts = shared.restarts[thread];
  for (uint32_t bit = 0; bit < kThreadBytes; ++bit) {
    if (data >> bit & 1) {
      writer.Put(scan.At(begin + bit));
      ++before.bytes;
    } else if (restarts >> bit & 1) {
      move_behind(before.restarts++);
    }
  }
  writer.Flush();
}

JAXDALI_TEAM void NoteRestarts(const Scan& scan, UnpackShared& shared, uint32_t thread, uint32_t begin) {
  Before before = BeforeThread(shared, thread);
  for (uint32_t bit = 0; bit < kThreadBytes; ++bit) {
    if ((shared.restarts[thread] >> bit & 1) && before.restarts < kChunkRestarts) {
      shared.restart_byte[before.restarts] = before.bytes;
      shared.restart_code[before.restarts++] = static_cast<uint8_t>(scan.At(begin + bit + 1));
    }
    before.bytes += shared.data[thread] >> bit & 1;
  }
}

JAXDALI_TEAM void UnpackChunk(const Team& team, const Batch& batch, const Stream& stream, const Scan& scan,
                              UnpackShared& shared, uint32_t chunk) {
  const auto begin_of = [&](uint32_t thread) { return chunk + thread * kThreadBytes; };
  team.Each([&](uint32_t thread) {
    const Look look = LookAt(scan, begin_of(thread));
    shared.data[thread] = look.data;
    shared.restarts[thread] = look.restarts;
    for (uint32_t bit = 0; look.stops >> bit != 0; ++bit) {
      if ((look.stops >> bit & 1) == 0) continue;
      TakeLeast(&shared.stop, begin_of(thread) + bit);
      break;
    }
  });
  team.Each([&](uint32_t thread) {
    // Bytes after the end are neither data nor restart markers.
    if (shared.stop != kNone) {
      const uint32_t begin = begin_of(thread), left = shared.stop > begin ? shared.stop - begin : 0;
      const uint32_t there = left < kThreadBytes ? (1u << left) - 1 : kNone;
      shared.data[thread] &= there;
      shared.restarts[thread] &= there;
    }
    shared.sums.values[thread] = CountBits(shared.data[thread]) | CountBits(shared.restarts[thread]) << 16;
  });
  AddUp(team, shared.sums);
  const uint32_t restarts = shared.sums.values[kTeam - 1] >> 16;
  if (restarts > 0) team.Each([&](uint32_t thread) { NoteRestarts(scan, shared, thread, begin_of(thread)); });
  team.Each([&](uint32_t thread) {
    if (thread == 0) CutAtRestarts(batch, stream, shared, restarts);
  });
  if (!shared.is_sound) return;
  team.Each([&](uint32_t thread) { PlaceBytes(batch, scan, shared, thread, begin_of(thread)); });
  team.Each([&](uint32_t thread) {
    if (thread != 0) return;
    shared.bytes += shared.sums.values[kTeam - 1] & 0xFFFF;
    if (shared.stop == kNone) return;
    shared.is_done = true;
    // Behind an only scan, for example, is the end of the image.
    if (scan.At(shared.stop + 1) != stream.end || shared.segment + 1 != stream.segments) shared.is_sound = false;
    if (shared.is_sound) EndSegment(batch, stream, shared, shared.bytes);
  });
}

// Runs with one team per stream.
JAXDALI_TEAM void Unpack(const Team& team, const Batch& batch, uint32_t number, UnpackShared& shared) {
  const Stream stream = batch.streams[number];
  const Scan scan = {batch.scans + stream.at, stream.bytes};
  team.Each([&](uint32_t thread) {
    if (thread != 0) return;
    shared.is_sound = true;
    shared.is_done = false;
    shared.stop = kNone;
    shared.segment = shared.bytes = shared.first_byte = 0;
    shared.first_lane = stream.first_lane;
  });
  for (uint32_t chunk = 0; chunk < scan.size && shared.is_sound && !shared.is_done; chunk += kChunk) {
    UnpackChunk(team, batch, stream, scan, shared, chunk);
  }
  const bool is_sound = shared.is_sound && shared.is_done;
  team.Each([&](uint32_t thread) {
    if (thread == 0 && !is_sound) batch.verdicts[stream.picture] = static_cast<int32_t>(Verdict::kRefused);
    if (!is_sound || batch.pictures[stream.picture].script != kNone) return;
    for (uint32_t lane = stream.first_lane + thread; lane < shared.first_lane; lane += kTeam) {
      // Finds the last segment that begins at or before this lane.
      uint32_t low = stream.first_segment, high = stream.first_segment + stream.segments - 1;
      while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (batch.segments[middle].first_lane <= lane) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      batch.segment_of_lane[lane] = low;
    }
  });
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_UNPACK_H_
