// Removes stuffing and markers from a file's entropy-coded data, and divides the rest into pieces for lanes.
//
// Data are unpacked chunk by chunk, all chunks at once. First each is looked at by itself (`TallyChunk`). What was
// found tells where the data of each chunk go (`StartChunks`), and then they are stored there (`UnpackChunk`).
#ifndef JAXDALI_JPEG_UNPACK_H_
#define JAXDALI_JPEG_UNPACK_H_

#include <cstdint>

#include "base/team.h"
#include "base/warp.h"
#include "jpeg/batch.h"

namespace jaxdali::jpeg {

static_assert(kThreadBytes == 32, "each of a thread's bytes has a bit in masks");
inline constexpr uint32_t kChunkRestarts = 2048;  // the most in a chunk; no camera writes a tenth of that

inline constexpr uint8_t kMarker = 0xFF, kFirstRestart = 0xD0;

// What the threads of a team share. Bytes of data are counted from the chunk's first.
struct UnpackShared {
  TeamSums sums;                          // each thread's bytes of data, and from bit 16 on its restart markers
  uint32_t data[kTeam], restarts[kTeam];  // which of a thread's bytes are data, and which begin a restart marker
  uint32_t stop;                          // where a marker ends the data; kNone if not in this chunk
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

// Writes contiguous bytes to where lanes read them. The first byte of a word is its highest one.
class ByteWriter {
 public:
  JAXDALI_TEAM explicit ByteWriter(uint32_t* words) : words_(words) {}

  // Continues at byte `at`.
  JAXDALI_TEAM void MoveTo(uint64_t at) {
    Flush();
    at_ = at;
  }
  JAXDALI_TEAM uint64_t at() const { return at_; }
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
  return {sum & 0xFFFF, sum >> 16};
}
JAXDALI_TEAM Before WholeChunk(const UnpackShared& shared) { return BeforeThread(shared, kTeam); }

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

// Finds out what the bytes of a chunk are.
JAXDALI_TEAM void LookAtChunk(const Team& team, const Scan& scan, uint32_t first, UnpackShared& shared) {
  const auto begin_of = [&](uint32_t thread) { return first + thread * kThreadBytes; };
  team.Each([&](uint32_t thread) {
    if (thread == 0) shared.stop = kNone;
  });
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
  if (WholeChunk(shared).restarts == 0) return;
  team.Each([&](uint32_t thread) { NoteRestarts(scan, shared, thread, begin_of(thread)); });
}

JAXDALI_TEAM Scan ScanOf(const Batch& batch, const Stream& stream) { return {batch.scans + stream.at, stream.bytes}; }

JAXDALI_TEAM uint32_t LanesOf(uint32_t bytes) { return CeilDivide(bytes, kLaneWords * 4); }

// Runs with one team per chunk.
JAXDALI_TEAM void TallyChunk(const Team& team, const Batch& batch, uint32_t number, UnpackShared& shared) {
  const Chunk chunk = batch.chunks[number];
  const Stream& stream = batch.streams[chunk.of];
  const Scan scan = ScanOf(batch, stream);
  LookAtChunk(team, scan, chunk.first, shared);
  team.Each([&](uint32_t thread) {
    if (thread != 0) return;
    const Before whole = WholeChunk(shared);
    Tally tally = {whole.bytes, whole.restarts, 0, 0, 0, ChunkEnd::kNone};
    // Behind an only scan, for example, is the end of the image.
    if (shared.stop != kNone) {
      tally.end = scan.At(shared.stop + 1) == stream.end ? ChunkEnd::kSound : ChunkEnd::kUnsound;
    }
    if (whole.restarts > kChunkRestarts) {
      tally.end = ChunkEnd::kUnsound;
    } else if (whole.restarts > 0) {
      tally.first = shared.restart_byte[0];
      tally.last = shared.restart_byte[whole.restarts - 1];
      for (uint32_t index = 1; index < whole.restarts; ++index) {
        tally.lanes += LanesOf(shared.restart_byte[index] - shared.restart_byte[index - 1]);
      }
    }
    batch.tallies[number] = tally;
  });
}

// What the threads of a team share that finds where chunks start.
struct StartsShared {
  Tally tallies[kTeam];
  ChunkStart starts[kTeam];
  ChunkStart next;
  ChunkEnd end;  // of the chunks so far
};

// Goes through some chunks, in one thread.
JAXDALI_TEAM void FollowTallies(StartsShared& shared, uint32_t count) {
  ChunkStart next = shared.next;
  for (uint32_t index = 0; index < count; ++index) {
    ChunkStart& start = shared.starts[index];
    start = next;
    if (shared.end != ChunkEnd::kNone) {
      start.segment = kNone;
      continue;
    }
    const Tally& tally = shared.tallies[index];
    shared.end = tally.end;
    if (tally.restarts > 0) {
      next.first_lane += LanesOf(next.bytes + tally.first - next.first_byte) + tally.lanes;
      next.first_byte = next.bytes + tally.last;
      next.segment += tally.restarts;
    }
    next.bytes += tally.bytes;
  }
  shared.next = next;
}

// Runs with one team per stream.
JAXDALI_TEAM void StartChunks(const Team& team, const Batch& batch, uint32_t number, StartsShared& shared) {
  const Stream& stream = batch.streams[number];
  const uint32_t chunks = CeilDivide(stream.bytes, kChunkBytes);
  team.Each([&](uint32_t thread) {
    if (thread != 0) return;
    shared.next = {0, 0, stream.first_lane, 0};
    shared.end = ChunkEnd::kNone;
  });
  for (uint32_t first = 0; first < chunks; first += kTeam) {
    const uint32_t at = stream.first_chunk + first, count = Least(kTeam, chunks - first);
    team.Each([&](uint32_t thread) {
      if (thread < count) shared.tallies[thread] = batch.tallies[at + thread];
    });
    team.Each([&](uint32_t thread) {
      if (thread == 0) FollowTallies(shared, count);
    });
    team.Each([&](uint32_t thread) {
      if (thread < count) batch.chunk_starts[at + thread] = shared.starts[thread];
    });
  }
  if (shared.end == ChunkEnd::kSound && shared.next.segment + 1 == stream.segments) return;
  team.Each([&](uint32_t thread) {
    if (thread == 0) batch.verdicts[stream.picture] = static_cast<int32_t>(Verdict::kRefused);
    for (uint32_t chunk = thread; chunk < chunks; chunk += kTeam) {
      batch.chunk_starts[stream.first_chunk + chunk].segment = kNone;
    }
  });
}

// Ends segments, in one thread.
class SegmentCutter {
 public:
  JAXDALI_TEAM SegmentCutter(const Batch& batch, const Stream& stream, const ChunkStart& start)
      : batch_(batch), stream_(stream), start_(start) {}

  // Ends a segment before a byte of the chunk's data. Returns the first lane of the next one.
  JAXDALI_TEAM uint32_t End(uint32_t byte) {
    const uint32_t bytes = start_.bytes + byte - start_.first_byte;
    if (bytes == 0) is_sound = false;
    const uint32_t first_block = stream_.first_block + start_.segment * stream_.restart_blocks;
    const uint32_t left = stream_.first_block + stream_.blocks - first_block;
    batch_.segments[stream_.first_segment + start_.segment] = {stream_.picture, start_.first_lane, bytes * 8,
                                                               first_block, Least(stream_.restart_blocks, left)};
    start_.first_lane += LanesOf(bytes);
    start_.first_byte = start_.bytes + byte;
    ++start_.segment;
    return start_.first_lane;
  }
  // The same at a restart marker, which must be the next one.
  JAXDALI_TEAM uint32_t Restart(uint32_t byte, uint8_t code) {
    if (code != kFirstRestart + start_.segment % 8) is_sound = false;
    return End(byte);
  }

  bool is_sound = true;

 private:
  const Batch& batch_;
  const Stream& stream_;
  ChunkStart start_;
};

JAXDALI_TEAM void CutAtRestarts(const Batch& batch, const Stream& stream, const ChunkStart& start,
                                UnpackShared& shared) {
  SegmentCutter cutter(batch, stream, start);
  const Before whole = WholeChunk(shared);
  for (uint32_t index = 0; index < whole.restarts; ++index) {
    shared.restart_lane[index] = cutter.Restart(shared.restart_byte[index], shared.restart_code[index]);
  }
  if (shared.stop != kNone) cutter.End(whole.bytes);
  if (!cutter.is_sound) batch.verdicts[stream.picture] = static_cast<int32_t>(Verdict::kRefused);
}

JAXDALI_TEAM void PlaceBytes(const Batch& batch, const Stream& stream, const ChunkStart& start,
                             const UnpackShared& shared, uint32_t thread, uint32_t begin) {
  const Scan scan = ScanOf(batch, stream);
  const bool has_lanes = batch.pictures[stream.picture].script == kNone;
  constexpr uint32_t kLaneBytes = kLaneWords * 4;
  Before before = BeforeThread(shared, thread);
  ByteWriter writer(batch.words);
  const auto move = [&](uint32_t first_lane, uint32_t byte) {
    writer.MoveTo(uint64_t{first_lane} * kLaneBytes + byte);
  };
  const auto move_behind = [&](uint32_t restart) {
    move(shared.restart_lane[restart], before.bytes - shared.restart_byte[restart]);
  };
  if (before.restarts == 0) {
    move(start.first_lane, start.bytes + before.bytes - start.first_byte);
  } else {
    move_behind(before.restarts - 1);
  }
  const uint32_t data = shared.data[thread], restarts = shared.restarts[thread];
  for (uint32_t bit = 0; bit < kThreadBytes; ++bit) {
    if (data >> bit & 1) {
      if (has_lanes && writer.at() % kLaneBytes == 0) {
        batch.segment_of_lane[writer.at() / kLaneBytes] = stream.first_segment + start.segment + before.restarts;
      }
      writer.Put(scan.At(begin + bit));
      ++before.bytes;
    } else if (restarts >> bit & 1) {
      move_behind(before.restarts++);
    }
  }
  writer.Flush();
}

// Runs with one team per chunk.
JAXDALI_TEAM void UnpackChunk(const Team& team, const Batch& batch, uint32_t number, UnpackShared& shared) {
  const ChunkStart start = batch.chunk_starts[number];
  if (start.segment == kNone) return;
  const Chunk chunk = batch.chunks[number];
  const Stream& stream = batch.streams[chunk.of];
  LookAtChunk(team, ScanOf(batch, stream), chunk.first, shared);
  team.Each([&](uint32_t thread) {
    if (thread == 0) CutAtRestarts(batch, stream, start, shared);
  });
  team.Each(
      [&](uint32_t thread) { PlaceBytes(batch, stream, start, shared, thread, chunk.first + thread * kThreadBytes); });
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_UNPACK_H_
