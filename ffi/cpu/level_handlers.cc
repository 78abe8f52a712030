#include "cpu/level_handlers.h"

#include <cstdint>

#include "cpu/handler_parts.h"
#include "cpu/huge_pages.h"
#include "cpu/level_tables.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Pixels = ffi::BufferR4<ffi::U8>;
using Pairs = ffi::BufferR2<ffi::S32>;
using Counts = ffi::Buffer<ffi::S32, 5>;
using Tables = ffi::BufferR3<ffi::U8>;
using TiledTables = ffi::Buffer<ffi::U8, 5>;
using Shares = ffi::BufferR2<ffi::F32>;

bool ArePairs(Pairs pairs, int64_t samples) {
  const auto shape = pairs.dimensions();
  return (shape[0] == 1 || shape[0] == samples) && shape[1] == 2;
}

LevelImages ImagesOf(Pixels pixels, Pairs extents) {
  const auto shape = pixels.dimensions();
  return {
      pixels.typed_data(), shape[0], shape[1], shape[2], shape[3], {extents.typed_data(), extents.dimensions()[0], 2}};
}

bool AreLike(Pixels pixels, ffi::Result<Pixels> result) {
  const auto one = pixels.dimensions(), other = result->dimensions();
  return one[0] == other[0] && one[1] == other[1] && one[2] == other[2] && one[3] == other[3];
}

ffi::Error CountedLevels(ffi::ThreadPool pool, Pixels pixels, Pairs extents, Pairs tiles,
                         ffi::Result<Counts> counts) noexcept {
  const auto shape = pixels.dimensions(), made = counts->dimensions();
  if (!ArePairs(extents, shape[0]) || !ArePairs(tiles, shape[0]) || made[0] != shape[0] || made[3] != shape[3] ||
      made[4] != kLevels) {
    return Wrong(kCountLevelsTarget,
                 "shapes are not images [N, H, W, C], extents and tiles [N or 1, 2] and counts [N, R, S, C, 256]");
  }
  const LevelCounts call = {ImagesOf(pixels, extents),
                            made[1],
                            made[2],
                            {tiles.typed_data(), tiles.dimensions()[0], 2},
                            counts->typed_data()};
  return RunParts(pool, shape[0] * made[1], [&call](int64_t part) noexcept { return CountLevels(call, part); });
}

ffi::Error LookedUp(ffi::ThreadPool pool, Pixels pixels, Tables tables, Pairs extents,
                    ffi::Result<Pixels> result) noexcept {
  const auto shape = pixels.dimensions(), table = tables.dimensions();
  if (!AreLike(pixels, result) || !ArePairs(extents, shape[0]) || table[0] != shape[0] || table[1] != shape[3] ||
      table[2] != kLevels) {
    return Wrong(kLookUpTarget,
                 "shapes are not images and results [N, H, W, C], tables [N, C, 256] and extents [N or 1, 2]");
  }
  if (pixels.element_count() == 0) return ffi::Error::Success();
  const LevelLookup call = {ImagesOf(pixels, extents), tables.typed_data(), result->typed_data()};
  PreferHugePages(call.result, static_cast<int64_t>(result->size_bytes()));
  return RunParts(pool, LookupParts(call), [&call](int64_t part) noexcept {
    LookUp(call, part);
    return true;
  });
}

bool AreShares(Pairs before, Pairs behind, Shares share, int64_t samples, int64_t extent) {
  const auto shape = share.dimensions();
  const auto is_like = [&shape](Pairs one) {
    return one.dimensions()[0] == shape[0] && one.dimensions()[1] == shape[1];
  };
  return (shape[0] == 1 || shape[0] == samples) && shape[1] == extent && is_like(before) && is_like(behind);
}

TableShares SharesOf(Pairs before, Pairs behind, Shares share) {
  return {before.typed_data(), behind.typed_data(), share.typed_data(), share.dimensions()[0], share.dimensions()[1]};
}

ffi::Error MixedLevels(ffi::ThreadPool pool, Pixels pixels, TiledTables tables, Pairs extents, Pairs above, Pairs below,
                       Shares down, Pairs left, Pairs right, Shares across, ffi::Result<Pixels> result) noexcept {
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
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<Pixels>()  // uint8[N, H, W, C]
                                  .Arg<Pairs>()   // extents int32[N or 1, 2]
                                  .Arg<Pairs>()   // tiles int32[N or 1, 2]
                                  .Ret<Counts>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(LookUpHandler, LookedUp,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<Pixels>()
                                  .Arg<Tables>()  // uint8[N, C, 256]
                                  .Arg<Pairs>()
                                  .Ret<Pixels>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(MixHandler, MixedLevels,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<Pixels>()
                                  .Arg<TiledTables>()  // uint8[N, R, S, C, 256]
                                  .Arg<Pairs>()
                                  .Arg<Pairs>()  // along rows: tables before, behind, and the share of that
                                  .Arg<Pairs>()
                                  .Arg<Shares>()
                                  .Arg<Pairs>()  // likewise along columns
                                  .Arg<Pairs>()
                                  .Arg<Shares>()
                                  .Ret<Pixels>());

}  // namespace jaxdali::cpu
