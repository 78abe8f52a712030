// Finds the true state at the start of every lane's piece.
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
  uint32_t owner, left;    // the owner of the next lane, and how many lanes in a row it still owns
  bool is_sound;
  TeamSums sums;
  uint32_t sum;  // blocks that ended before this chunk
};

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

// Returns how many blocks really end in the piece of a lane that is in the chain; `owner` is the lane's owner.
JAXDALI_TEAM uint32_t BlocksOfChained(const Batch& batch, uint32_t number, uint32_t owner) {
  if (owner != number) return batch.merged[owner];
  const Segment segment = batch.segments[batch.segment_of_lane[number]];
  const uint32_t end = Least((number + 1) * batch.lane_words, EndOfSegment(batch, segment));
  return batch.checkpoints[end / batch.checkpoint_words - 1] >> kStateBits;
}

// Returns the true state at the start of a lane's piece, with the number of blocks that really ended in the previous
// piece.
JAXDALI_TEAM uint32_t Enter(const Batch& batch, uint32_t number, uint32_t owner) {
  if (number != owner + 1) return batch.passed[(number - owner - 2) * batch.lanes + owner];
  const uint32_t state = batch.checkpoints[number * kCheckpoints - 1] & kStateMask;
  // By now, owners are stored where links were.
  return state | BlocksOfChained(batch, owner, batch.links[owner]) << kStateBits;
}

JAXDALI_TEAM void JoinChunk(const Team& team, const Batch& batch, uint32_t first, uint32_t count, JoinShared& shared) {
  team.Each([&](uint32_t thread) {
    if (thread >= count) return;
    const uint32_t number = first + thread, segment = batch.segment_of_lane[number];
    shared.links[thread] = kNone;
    if (segment == kNone) return;
    shared.links[thread] = batch.links[number] | (batch.segments[segment].first_lane == number ? kBegins : 0);
  });
  team.Each([&](uint32_t thread) {
    if (thread == 0) FollowLinks(shared, first, count);
  });
  if (!shared.is_sound) return;
  team.Each([&](uint32_t thread) {
    if (thread < count) batch.links[first + thread] = shared.owners[thread];
  });
  team.Each([&](uint32_t thread) {
    shared.sums.values[thread] = 0;
    if (thread >= count) return;
    const uint32_t number = first + thread, owner = shared.owners[thread];
    const bool is_entered = owner != kNone && owner != number;
    const uint32_t entered = is_entered ? Enter(batch, number, owner) : 0;
    batch.entries[number].state = entered & kStateMask;
    shared.sums.values[thread] = entered >> kStateBits;
  });
  AddUp(team, shared.sums);
  team.Each([&](uint32_t thread) {
    if (thread < count) batch.entries[first + thread].block = shared.sum + shared.sums.values[thread];
  });
  team.Each([&](uint32_t thread) {
    if (thread == 0) shared.sum += shared.sums.values[kTeam - 1];
  });
}

// Runs with one team per picture.
JAXDALI_TEAM void Join(const Team& team, const Batch& batch, uint32_t number, JoinShared& shared) {
  if (batch.verdicts[number] != static_cast<int32_t>(Verdict::kDecoded)) return;
  const Picture picture = batch.pictures[number];
  team.Each([&](uint32_t thread) {
    if (thread != 0) return;
    shared.is_sound = true;
    shared.owner = kNone;
    shared.left = shared.sum = 0;
  });
  for (uint32_t chunk = 0; chunk < picture.lanes && shared.is_sound; chunk += kTeam) {
    JoinChunk(team, batch, picture.first_lane + chunk, Least(kTeam, picture.lanes - chunk), shared);
  }
  if (!shared.is_sound) {
    team.Each([&](uint32_t thread) {
      if (thread == 0) batch.verdicts[number] = static_cast<int32_t>(Verdict::kRefused);
    });
    return;
  }
  // Counts blocks from the beginning of each segment. `merged` is free to hold the counts so far.
  team.Each([&](uint32_t thread) {
    for (uint32_t lane = picture.first_lane + thread; lane < picture.first_lane + picture.lanes; lane += kTeam) {
      batch.merged[lane] = batch.entries[lane].block;
    }
  });
  team.Each([&](uint32_t thread) {
    for (uint32_t lane = picture.first_lane + thread; lane < picture.first_lane + picture.lanes; lane += kTeam) {
      if (batch.segment_of_lane[lane] == kNone) continue;
      const Segment segment = batch.segments[batch.segment_of_lane[lane]];
      batch.entries[lane].block = segment.first_block + batch.merged[lane] - batch.merged[segment.first_lane];
    }
  });
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_JOIN_H_
