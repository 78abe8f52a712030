#include "calls/levels/operands.h"

#include <string>

namespace ffi = xla::ffi;

namespace jaxdali {
namespace {

ffi::Error Wrong(const char* target, const char* what) {
  return ffi::Error::InvalidArgument(std::string(target) + ": " + what);
}

}  // namespace

bool ArePairs(LevelPairs pairs, int64_t samples) {
  const auto shape = pairs.dimensions();
  return (shape[0] == 1 || shape[0] == samples) && shape[1] == 2;
}

LevelImages ImagesOf(LevelPixels pixels, LevelPairs extents) {
  const auto shape = pixels.dimensions();
  return {
      pixels.typed_data(), shape[0], shape[1], shape[2], shape[3], {extents.typed_data(), extents.dimensions()[0], 2}};
}

bool AreLike(LevelPixels pixels, ffi::Result<LevelPixels> result) {
  const auto one = pixels.dimensions(), other = result->dimensions();
  return one[0] == other[0] && one[1] == other[1] && one[2] == other[2] && one[3] == other[3];
}

ffi::Error LoadLevelCounts(LevelPixels pixels, LevelPairs extents, LevelPairs tiles,
                           ffi::Result<LevelFrequencies> counts, LevelCounts* call) {
  const auto shape = pixels.dimensions(), made = counts->dimensions();
  if (!ArePairs(extents, shape[0]) || !ArePairs(tiles, shape[0]) || made[0] != shape[0] || made[3] != shape[3] ||
      made[4] != kLevels) {
    return Wrong(kCountLevelsTarget,
                 "shapes are not images [N, H, W, C], extents and tiles [N or 1, 2] and counts [N, R, S, C, 256]");
  }
  *call = {ImagesOf(pixels, extents),
           made[1],
           made[2],
           {tiles.typed_data(), tiles.dimensions()[0], 2},
           counts->typed_data()};
  return ffi::Error::Success();
}

ffi::Error LoadLevelLookup(LevelPixels pixels, LevelLookups tables, LevelPairs extents, ffi::Result<LevelPixels> result,
                           LevelLookup* call) {
  const auto shape = pixels.dimensions(), table = tables.dimensions();
  if (!AreLike(pixels, result) || !ArePairs(extents, shape[0]) || table[0] != shape[0] || table[1] != shape[3] ||
      table[2] != kLevels) {
    return Wrong(kLookUpTarget,
                 "shapes are not images and results [N, H, W, C], tables [N, C, 256] and extents [N or 1, 2]");
  }
  *call = {ImagesOf(pixels, extents), tables.typed_data(), result->typed_data()};
  return ffi::Error::Success();
}

}  // namespace jaxdali
