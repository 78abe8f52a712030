#include "calls/levels/cpu_handler.h"

#include <cstdint>

#include "calls/levels/cpu_levels.h"
#include "calls/levels/operands.h"
#include "handling/cpu_parts.h"
#include "handling/huge_pages.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using TiledTables = ffi::Buffer<ffi::U8, 5>;
using Shares = ffi::BufferR2<ffi::F32>;

ffi::Error CountedLevels(ffi::ThreadPool pool, LevelPixels pixels, LevelPairs extents, LevelPairs tiles,
                         ffi::Result<LevelFrequencies> counts) noexcept {
  LevelCounts call;
  if (ffi::Error error = LoadLevelCounts(pixels, extents, tiles, counts, &call); error.failure()) return error;
  const int64_t parts = call.images.samples * call.rows;
  return RunParts(pool, parts, [&call](int64_t part) noexcept { return CountLevels(call, part); });
}

ffi::Error LookedUp(ffi::ThreadPool pool, LevelPixels pixels, LevelLookups tables, LevelPairs extents,
                    ffi::Result<LevelPixels> result) noexcept {
  LevelLookup call;
  if (ffi::Error error = LoadLevelLookup(pixels, tables, extents, result, &call); error.failure()) return error;
  if (pixels.element_count() == 0) return ffi::Error::Success();
  PreferHugePages(call.result, static_cast<int64_t>(result->size_bytes()));
  return RunParts(pool, LookupParts(call), [&call](int64_t part) noexcept {
    LookUp(call, part);
    return true;
  });
}

bool AreShares(LevelPairs before, LevelPairs behind, Shares share, int64_t samples, int64_t extent) {
  const auto shape = share.dimensions();
  const auto is_like = [&shape](LevelPairs one) {
    return one.dimensions()[0] == shape[0] && one.dimensions()[1] == shape[1];
  };
  return (shape[0] == 1 || shape[0] == samples) && shape[1] == extent && is_like(before) && is_like(behind);
}

TableShares SharesOf(LevelPairs before, LevelPairs behind, Shares share) {
  return {before.typed_data(), behind.typed_data(), share.typed_data(), share.dimensions()[0], share.dimensions()[1]};
}

ffi::Error MixedLevels(ffi::ThreadPool pool, LevelPixels pixels, TiledTables tables, LevelPairs extents,
                       LevelPairs above, LevelPairs below, Shares down, LevelPairs left, LevelPairs right,
                       Shares across, ffi::Result<LevelPixels> result) noexcept {
  const auto shape = pixels.dimensions(), table = tables.dimensions();
  if (!AreLike(pixels, result) || !ArePairs(extents, shape[0]) || table[0] != shape[0] || table[1] == 0 ||
      table[2] == 0 || table[3] != shape[3] || table[4] != kLevels ||
      !AreShares(above, below, down, shape[0], shape[1]) || !AreShares(left, right, across, shape[0], shape[2])) {
    return Wrong(kMixTarget,
                 "shapes are not images and results [N, H, W, C], tables [N, R, S, C, 256], extents [N or 1, 2], and "
                 "places and shares [N or 1, H] and [N or 1, W]");
  }
  if (pixels.element_count() == 0) return ffi::Error::Success();
  const TileMix call = {ImagesOf(pixels, extents),
                        table[1],
                        table[2],
                        tables.typed_data(),
                        SharesOf(above, below, down),
                        SharesOf(left, right, across),
                        result->typed_data()};
  PreferHugePages(call.result, static_cast<int64_t>(result->size_bytes()));
  return RunParts(pool, MixParts(call), [&call](int64_t part) noexcept {
    Mix(call, part);
    return true;
  });
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(CountLevelsHandler, CountedLevels,
                              BindCountLevels(ffi::Ffi::Bind().Ctx<ffi::ThreadPool>()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(LookUpHandler, LookedUp, BindLookUp(ffi::Ffi::Bind().Ctx<ffi::ThreadPool>()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(MixHandler, MixedLevels,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<LevelPixels>()
                                  .Arg<TiledTables>()  // uint8[N, R, S, C, 256]
                                  .Arg<LevelPairs>()
                                  .Arg<LevelPairs>()  // along rows: tables before and behind, and the latter's share
                                  .Arg<LevelPairs>()
                                  .Arg<Shares>()
                                  .Arg<LevelPairs>()  // likewise along columns
                                  .Arg<LevelPairs>()
                                  .Arg<Shares>()
                                  .Ret<LevelPixels>());

}  // namespace jaxdali::cpu
