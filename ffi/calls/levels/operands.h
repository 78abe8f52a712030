// The operands of the custom calls `jaxdali_count_levels_v1` and `jaxdali_look_up_levels_v1`, the same on every
// platform.
#ifndef JAXDALI_CALLS_LEVELS_OPERANDS_H_
#define JAXDALI_CALLS_LEVELS_OPERANDS_H_

#include <cstdint>
#include <utility>

#include "calls/levels/levels.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

inline constexpr char kCountLevelsTarget[] = "jaxdali_count_levels_v1";
inline constexpr char kLookUpTarget[] = "jaxdali_look_up_levels_v1";

using LevelPixels = xla::ffi::BufferR4<xla::ffi::U8>;
using LevelPairs = xla::ffi::BufferR2<xla::ffi::S32>;
using LevelFrequencies = xla::ffi::Buffer<xla::ffi::S32, 5>;
using LevelLookups = xla::ffi::BufferR3<xla::ffi::U8>;

// Returns whether there is one pair for all samples, or one for each.
bool ArePairs(LevelPairs pairs, int64_t samples);
bool AreLike(LevelPixels pixels, xla::ffi::Result<LevelPixels> result);
LevelImages ImagesOf(LevelPixels pixels, LevelPairs extents);

// Fill in `call`; fail if shapes do not match.
xla::ffi::Error LoadLevelCounts(LevelPixels pixels, LevelPairs extents, LevelPairs tiles,
                                xla::ffi::Result<LevelFrequencies> counts, LevelCounts* call);
xla::ffi::Error LoadLevelLookup(LevelPixels pixels, LevelLookups tables, LevelPairs extents,
                                xla::ffi::Result<LevelPixels> result, LevelLookup* call);

// Bind the handlers' operands, after the contexts that their platform adds.
template <typename Binding>
auto BindCountLevels(Binding&& platform) {
  return std::forward<Binding>(platform)
      .template Arg<LevelPixels>()        // uint8[N, H, W, C]
      .template Arg<LevelPairs>()         // extents int32[N or 1, 2]
      .template Arg<LevelPairs>()         // tiles int32[N or 1, 2]
      .template Ret<LevelFrequencies>();  // int32[N, R, S, C, 256]
}

template <typename Binding>
auto BindLookUp(Binding&& platform) {
  return std::forward<Binding>(platform)
      .template Arg<LevelPixels>()   // uint8[N, H, W, C]
      .template Arg<LevelLookups>()  // uint8[N, C, 256]
      .template Arg<LevelPairs>()    // extents int32[N or 1, 2]
      .template Ret<LevelPixels>();
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_LEVELS_OPERANDS_H_
