// Sums up DC coefficients, which are stored as differences from the previous block.
#ifndef JAXDALI_JPEG_DC_H_
#define JAXDALI_JPEG_DC_H_

#include <cstdint>

#include "base/team.h"
#include "jpeg/batch.h"

namespace jaxdali::jpeg {

struct DcShared {
  TeamSums sums[kMostComponents];
};

JAXDALI_PORTABLE uint32_t LumaBlocksOf(const Picture& picture) {
  return picture.components == 1 ? 1 : picture.luma_across * picture.luma_down;
}
// Returns the component of a block of an MCU.
JAXDALI_PORTABLE uint32_t ComponentOf(const Picture& picture, uint32_t block) {
  const uint32_t luma = LumaBlocksOf(picture);
  return block < luma ? 0 : block - luma + 1;
}

// Runs with one team per picture that is not progressive. Afterwards, `dc` contains sums from the picture's first block
// on, ignoring restarts: `DcOf` takes the difference of two sums. Sums may wrap, which does not affect differences.
JAXDALI_TEAM void SumDc(const Team& team, const Batch& batch, uint32_t number, DcShared& shared) {
  if (batch.verdicts[number] != static_cast<int32_t>(Verdict::kDecoded)) return;
  const Picture picture = batch.pictures[number];
  if (picture.script != kNone) return;
  const uint32_t each = CeilDivide(picture.blocks / picture.blocks_of_mcu, kTeam) * picture.blocks_of_mcu;
  const auto walk = [&](uint32_t thread, auto visit) {
    const uint32_t begin = Least(thread * each, picture.blocks), end = Least(begin + each, picture.blocks);
    for (uint32_t block = begin, place = 0; block < end; ++block) {
      visit(picture.first_block + block, ComponentOf(picture, place));
      place = place + 1 == picture.blocks_of_mcu ? 0 : place + 1;
    }
  };
  team.Each([&](uint32_t thread) {
    uint32_t sums[kMostComponents] = {0, 0, 0};
    walk(thread,
         [&](uint32_t block, uint32_t component) { sums[component] += static_cast<uint32_t>(batch.dc[block]); });
    for (uint32_t component = 0; component < kMostComponents; ++component) {
      shared.sums[component].values[thread] = sums[component];
    }
  });
  for (uint32_t component = 0; component < picture.components; ++component) AddUp(team, shared.sums[component]);
  team.Each([&](uint32_t thread) {
    uint32_t sums[kMostComponents];
    for (uint32_t component = 0; component < kMostComponents; ++component) {
      sums[component] = thread == 0 ? 0 : shared.sums[component].values[thread - 1];
    }
    walk(thread, [&](uint32_t block, uint32_t component) {
      sums[component] += static_cast<uint32_t>(batch.dc[block]);
      batch.dc[block] = static_cast<int32_t>(sums[component]);
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
