// Sums up DC coefficients, which are stored as differences from the previous block.
#ifndef JAXDALI_JPEG_DC_H_
#define JAXDALI_JPEG_DC_H_

#include <cstdint>

#include "base/team.h"
#include "jpeg/batch.h"

namespace jaxdali::jpeg {

// What the threads of a team share.
struct DcShared {
  TeamSums sums[kMostComponents];
  uint32_t before[kMostComponents];  // of the chunks before this one
};

JAXDALI_PORTABLE uint32_t LumaBlocksOf(const Picture& picture) {
  return picture.components == 1 ? 1 : picture.luma_across * picture.luma_down;
}
// Returns the component of a block of an MCU.
JAXDALI_PORTABLE uint32_t ComponentOf(const Picture& picture, uint32_t block) {
  const uint32_t luma = LumaBlocksOf(picture);
  return block < luma ? 0 : block - luma + 1;
}

JAXDALI_PORTABLE uint32_t McusOf(const Picture& picture) { return picture.blocks / picture.blocks_of_mcu; }

// A sum for each component; in registers, since no index is a variable.
struct DcSums {
  uint32_t of[kMostComponents] = {0, 0, 0};

  // Returns the component's sum with a value added.
  JAXDALI_TEAM uint32_t Add(uint32_t component, uint32_t value) {
    uint32_t sum = 0;
    JAXDALI_UNROLL
    for (uint32_t other = 0; other < kMostComponents; ++other) {
      if (other == component) sum = of[other] += value;
    }
    return sum;
  }
};

// Gives each thread's sums to the team, which adds up those of each thread and of those before it.
template <typename Sum>
JAXDALI_TEAM void ShareSums(const Team& team, uint32_t components, DcShared& shared, Sum sum) {
  team.Each([&](uint32_t thread) {
    const DcSums sums = sum(thread);
    JAXDALI_UNROLL
    for (uint32_t component = 0; component < kMostComponents; ++component) {
      shared.sums[component].values[thread] = sums.of[component];
    }
  });
  for (uint32_t component = 0; component < components; ++component) AddUp(team, shared.sums[component]);
}

// Calls `visit(block, component)` for each block of a thread's MCUs.
template <typename Visit>
JAXDALI_TEAM void EachBlock(const Picture& picture, const Chunk& chunk, uint32_t thread, Visit visit) {
  const uint32_t mcus = McusOf(picture), begin = Least(chunk.first + thread * kThreadMcus, mcus);
  const uint32_t end = Least(begin + kThreadMcus, mcus);
  uint32_t block = picture.first_block + begin * picture.blocks_of_mcu;
  for (uint32_t mcu = begin; mcu < end; ++mcu) {
    for (uint32_t place = 0; place < picture.blocks_of_mcu; ++place) visit(block++, ComponentOf(picture, place));
  }
}

// Adds up the DC coefficients of each thread of a team and of those before it.
JAXDALI_TEAM void AddUpDc(const Team& team, const Batch& batch, const Picture& picture, const Chunk& chunk,
                          DcShared& shared) {
  ShareSums(team, picture.components, shared, [&](uint32_t thread) {
    DcSums sums;
    EachBlock(picture, chunk, thread,
              [&](uint32_t block, uint32_t component) { sums.Add(component, static_cast<uint32_t>(batch.dc[block])); });
    return sums;
  });
}

JAXDALI_TEAM bool IsDecoded(const Batch& batch, uint32_t picture) {
  return batch.verdicts[picture] == static_cast<int32_t>(Verdict::kDecoded);
}

// Adds up the DC coefficients of a chunk. Runs with one team per chunk, before `SumDc`.
JAXDALI_TEAM void SumDcOfChunk(const Team& team, const Batch& batch, uint32_t number, DcShared& shared) {
  const Chunk chunk = batch.dc_chunks[number];
  const Picture picture = batch.pictures[chunk.of];
  // Nothing comes behind the last one.
  if (chunk.first + kMcusTogether >= McusOf(picture) || !IsDecoded(batch, chunk.of)) return;
  AddUpDc(team, batch, picture, chunk, shared);
  team.Each([&](uint32_t thread) {
    if (thread < picture.components) {
      batch.dc_sums[number * kMostComponents + thread] = shared.sums[thread].values[kTeam - 1];
    }
  });
}

// Adds up what chunks before this one hold; the sums are those of the team's last thread.
JAXDALI_TEAM void SumDcBefore(const Team& team, const Batch& batch, const Picture& picture, uint32_t number,
                              DcShared& shared) {
  ShareSums(team, picture.components, shared, [&](uint32_t thread) {
    DcSums sums;
    for (uint32_t other = picture.first_dc_chunk + thread; other < number; other += kTeam) {
      for (uint32_t component = 0; component < picture.components; ++component) {
        sums.Add(component, batch.dc_sums[other * kMostComponents + component]);
      }
    }
    return sums;
  });
}

// Runs with one team per chunk of pictures that are not progressive. Afterwards, `dc` contains sums from the picture's
// first block on, ignoring restarts: `DcOf` takes the difference of two sums. Sums may wrap, which does not affect
// differences.
JAXDALI_TEAM void SumDc(const Team& team, const Batch& batch, uint32_t number, DcShared& shared) {
  const Chunk chunk = batch.dc_chunks[number];
  const Picture picture = batch.pictures[chunk.of];
  if (!IsDecoded(batch, chunk.of)) return;
  if (chunk.first > 0) SumDcBefore(team, batch, picture, number, shared);
  team.Each([&](uint32_t thread) {
    if (thread < kMostComponents) shared.before[thread] = chunk.first > 0 ? shared.sums[thread].values[kTeam - 1] : 0;
  });
  AddUpDc(team, batch, picture, chunk, shared);
  team.Each([&](uint32_t thread) {
    DcSums sums;
    JAXDALI_UNROLL
    for (uint32_t component = 0; component < kMostComponents; ++component) {
      sums.of[component] = shared.before[component] + (thread == 0 ? 0 : shared.sums[component].values[thread - 1]);
    }
    EachBlock(picture, chunk, thread, [&](uint32_t block, uint32_t component) {
      batch.dc[block] = static_cast<int32_t>(sums.Add(component, static_cast<uint32_t>(batch.dc[block])));
    });
  });
}

// Returns the DC coefficient of a block, which is numbered within the picture; `place` is its position in its MCU.
JAXDALI_PORTABLE int32_t DcOf(const Batch& batch, const Picture& picture, uint32_t block, uint32_t place) {
  const uint32_t sum = static_cast<uint32_t>(batch.dc[picture.first_block + block]);
  const uint32_t restart = block / picture.restart_blocks * picture.restart_blocks;
  if (restart == 0) return static_cast<int32_t>(sum);
  // The component's last block before the restart.
  const uint32_t luma = LumaBlocksOf(picture);
  const uint32_t last = restart - picture.blocks_of_mcu + (place < luma ? luma - 1 : place);
  return static_cast<int32_t>(sum - static_cast<uint32_t>(batch.dc[picture.first_block + last]));
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_DC_H_
