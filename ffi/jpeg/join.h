// Finds the true state at the start of every lane's piece.
//
// Lanes are joined chunk by chunk, all chunks at once. From the first lane of a segment, links lead through some of its
// lanes, which are the chain; each owns those up to the next one. First it is found out where each lane's links would
// leave its chunk (`FindExits`). So a chunk soon learns where the chain enters it, and follows it there (`FindOwners`).
// Then the states at which lanes are entered are known, with the blocks that end in between (`EnterLanes`), and the
// blocks are counted (`CountBlocks`).
#ifndef JAXDALI_JPEG_JOIN_H_
#define JAXDALI_JPEG_JOIN_H_

#include <cstdint>

#include "base/team.h"
#include "jpeg/batch.h"
#include "jpeg/lane.h"

namespace jaxdali::jpeg {

// The flag for links that says that a segment begins with this lane.
inline constexpr uint32_t kBegins = 0x400;

// What the threads of a team share.
struct JoinShared {
  uint32_t links[kTeam];   // with kBegins; kNone if the lane's piece is empty
  uint32_t owners[kTeam];  // the lane whose decoding enters this one; itself if it begins a segment; kNone if empty
  uint32_t exits[kTeam];   // of a lane, see `PackExit`
  uint32_t owner, left;    // the owner of the next lane, and how many lanes in a row it still owns
  bool is_sound;
  TeamSums sums;
};

// The lanes of a chunk.
struct LaneChunk {
  uint32_t picture, first, count;
};
JAXDALI_TEAM LaneChunk LaneChunkOf(const Batch& batch, uint32_t number) {
  const Chunk chunk = batch.lane_chunks[number];
  const Picture& picture = batch.pictures[chunk.of];
  return {chunk.of, chunk.first, Least(kTeam, picture.first_lane + picture.lanes - chunk.first)};
}

JAXDALI_TEAM bool IsSound(const Batch& batch, const LaneChunk& chunk) {
  return batch.verdicts[chunk.picture] == static_cast<int32_t>(Verdict::kDecoded);
}

JAXDALI_TEAM void LoadLinks(const Team& team, const Batch& batch, const LaneChunk& chunk, JoinShared& shared) {
  team.Each([&](uint32_t thread) {
    if (thread >= chunk.count) return;
    const uint32_t number = chunk.first + thread, segment = batch.segment_of_lane[number];
    shared.links[thread] = kNone;
    if (segment == kNone) return;
    shared.links[thread] = batch.links[number] | (batch.segments[segment].first_lane == number ? kBegins : 0);
  });
}

// The last lane that links lead to within a chunk, from the chunk's first, and its link.
JAXDALI_TEAM uint32_t PackExit(uint32_t index, uint32_t link) { return index | link << 8; }
JAXDALI_TEAM uint32_t IndexOfExit(uint32_t exit) { return exit & 0xFF; }
JAXDALI_TEAM uint32_t LinkOfExit(uint32_t exit) { return exit >> 8; }
static_assert(kTeam <= 0x100, "the index of a lane takes eight bits");

// Follows links backwards through the lanes of a chunk, in one thread.
JAXDALI_TEAM void FollowBack(JoinShared& shared, uint32_t count) {
  uint32_t begins = kNone;  // the next lane that begins a segment
  for (uint32_t index = count; index-- > 0;) {
    const uint32_t link = shared.links[index];
    if (link == kNone) continue;
    uint32_t next = kNone;
    if (link & kToEnd) {
      next = begins;
    } else if ((link & kLost) == 0) {
      next = index + (link & kLinkCount);
    }
    shared.exits[index] = next < count ? shared.exits[next] : PackExit(index, link);
    if (link & kBegins) begins = index;
  }
}

// Runs with one team per chunk. Until `EnterLanes`, states are exits.
JAXDALI_TEAM void FindExits(const Team& team, const Batch& batch, uint32_t number, JoinShared& shared) {
  const LaneChunk chunk = LaneChunkOf(batch, number);
  if (!IsSound(batch, chunk)) return;
  LoadLinks(team, batch, chunk, shared);
  team.Each([&](uint32_t thread) {
    if (thread == 0) FollowBack(shared, chunk.count);
  });
  team.Each([&](uint32_t thread) {
    if (thread < chunk.count) batch.entries[chunk.first + thread].state = shared.exits[thread];
  });
}

// Finds where the chain enters a chunk, in one thread. Returns false if it is lost before.
JAXDALI_TEAM bool FollowExits(const Batch& batch, const LaneChunk& chunk, JoinShared& shared) {
  const Picture& picture = batch.pictures[chunk.picture];
  uint32_t owner = kNone, next = picture.first_lane;  // of the chain
  while (next < chunk.first) {
    const uint32_t exit = batch.entries[next].state, link = LinkOfExit(exit);
    if (link & kLost) return false;
    owner = next - (next - picture.first_lane) % kTeam + IndexOfExit(exit);
    if (link & kToEnd) {
      const uint32_t segment = batch.segment_of_lane[owner];
      next = segment == picture.last_segment ? kNone : batch.segments[segment + 1].first_lane;
    } else {
      next = owner + (link & kLinkCount);
    }
  }
  shared.owner = owner;
  shared.left = next == kNone ? kNone : next - chunk.first + 1;
  return true;
}

// Follows links through the lanes of a chunk, in one thread.
JAXDALI_TEAM void FollowLinks(JoinShared& shared, uint32_t first, uint32_t count) {
  uint32_t owner = shared.owner, left = shared.left;
  for (uint32_t index = 0; index < count; ++index) {
    const uint32_t number = first + index, link = shared.links[index];
    if (link == kNone) {
      shared.owners[index] = kNone;
      continue;
    }
    const bool begins = (link & kBegins) != 0;
    owner = begins ? number : owner;
    shared.owners[index] = owner;
    // A lane is in the chain if it begins a segment or is the last one that its owner enters.
    --left;
    if (!begins && left > 0) continue;
    if (link & kLost) {
      shared.is_sound = false;
      return;
    }
    owner = number;
    // With kToEnd it owns the rest of its segment; the next segment starts a chain of its own.
    left = link & kToEnd ? kNone : link & kLinkCount;
  }
  shared.owner = owner;
  shared.left = left;
}

// Runs with one team per chunk. Afterwards, owners are stored where links were.
JAXDALI_TEAM void FindOwners(const Team& team, const Batch& batch, uint32_t number, JoinShared& shared) {
  const LaneChunk chunk = LaneChunkOf(batch, number);
  // Other teams may refuse the picture meanwhile.
  team.Each([&](uint32_t thread) {
    if (thread == 0) shared.is_sound = IsSound(batch, chunk);
  });
  if (!shared.is_sound) return;
  LoadLinks(team, batch, chunk, shared);
  team.Each([&](uint32_t thread) {
    if (thread != 0) return;
    // If the chain is lost, that is noted where it is.
    shared.is_sound = FollowExits(batch, chunk, shared);
    if (!shared.is_sound) return;
    FollowLinks(shared, chunk.first, chunk.count);
    if (!shared.is_sound) batch.verdicts[chunk.picture] = static_cast<int32_t>(Verdict::kRefused);
  });
  if (!shared.is_sound) return;
  team.Each([&](uint32_t thread) {
    if (thread < chunk.count) batch.links[chunk.first + thread] = shared.owners[thread];
  });
}

// Returns how many blocks really end in the piece of a lane that is in the chain; `owner` is the lane's owner.
JAXDALI_TEAM uint32_t BlocksOfChained(const Batch& batch, uint32_t number, uint32_t owner) {
  if (owner != number) return batch.merged[owner];
  const Segment segment = batch.segments[batch.segment_of_lane[number]];
  const uint32_t end = Least((number + 1) * kLaneWords, EndOfSegment(segment));
  return batch.checkpoints[end / kCheckpointWords - 1] >> kStateBits;
}

// Returns the true state at the start of a lane's piece, with the number of blocks that really ended in the previous
// piece.
JAXDALI_TEAM uint32_t Enter(const Batch& batch, uint32_t number, uint32_t owner) {
  if (number != owner + 1) return batch.passed[(number - owner - 2) * batch.lanes + owner];
  const uint32_t state = batch.checkpoints[number * kCheckpoints - 1] & kStateMask;
  return state | BlocksOfChained(batch, owner, batch.links[owner]) << kStateBits;
}

// Runs with one team per chunk. Afterwards, `ended` is how many blocks end between the start of a chunk and a lane.
JAXDALI_TEAM void EnterLanes(const Team& team, const Batch& batch, uint32_t number, JoinShared& shared) {
  const LaneChunk chunk = LaneChunkOf(batch, number);
  if (!IsSound(batch, chunk)) return;
  team.Each([&](uint32_t thread) {
    shared.sums.values[thread] = 0;
    if (thread >= chunk.count) return;
    const uint32_t lane = chunk.first + thread, owner = batch.links[lane];
    const bool is_entered = owner != kNone && owner != lane;
    const uint32_t entered = is_entered ? Enter(batch, lane, owner) : 0;
    batch.entries[lane].state = entered & kStateMask;
    shared.sums.values[thread] = entered >> kStateBits;
  });
  AddUp(team, shared.sums);
  team.Each([&](uint32_t thread) {
    if (thread < chunk.count) batch.ended[chunk.first + thread] = shared.sums.values[thread];
    if (thread == 0) batch.ended_sums[number] = shared.sums.values[kTeam - 1];
  });
}

// Runs with one team per chunk.
JAXDALI_TEAM void CountBlocks(const Team& team, const Batch& batch, uint32_t number, JoinShared& shared) {
  const LaneChunk chunk = LaneChunkOf(batch, number);
  const uint32_t open = batch.segment_of_lane[chunk.first];  // the segment that the chunk begins in
  if (!IsSound(batch, chunk) || open == kNone) return;
  // How many blocks end between the start of that segment and of the chunk.
  const uint32_t begin = batch.segments[open].first_lane;
  const Picture& picture = batch.pictures[chunk.picture];
  const uint32_t first = picture.first_lane_chunk + (begin - picture.first_lane) / kTeam;
  team.Each([&](uint32_t thread) {
    uint32_t sum = 0;
    for (uint32_t other = first + thread; other < number; other += kTeam) sum += batch.ended_sums[other];
    shared.sums.values[thread] = sum;
  });
  AddUp(team, shared.sums);
  const uint32_t before = shared.sums.values[kTeam - 1];
  team.Each([&](uint32_t thread) {
    const uint32_t lane = chunk.first + thread;
    if (thread >= chunk.count || batch.segment_of_lane[lane] == kNone) return;
    const Segment segment = batch.segments[batch.segment_of_lane[lane]];
    const uint32_t since = batch.ended[lane] - batch.ended[segment.first_lane];
    batch.entries[lane].block = segment.first_block + since + (segment.first_lane < chunk.first ? before : 0);
  });
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_JOIN_H_
