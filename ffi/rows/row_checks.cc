#include "rows/row_checks.h"

#include <utility>

namespace jaxdali::cpu {

RowResult Failure(Status status, std::string message) {
  RowResult result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

std::string Extents(int64_t height, int64_t width) { return std::to_string(height) + " x " + std::to_string(width); }

RowResult CheckRow(const Row& row, const EncodedBytes& encoded) {
  if (row.status != static_cast<int32_t>(Status::kOk)) {
    const Status status = static_cast<Status>(row.status);
    if (row.status < 0 || row.status > static_cast<int32_t>(kLastStatus)) {
      return Failure(Status::kCorrupt, "the row's STATUS is " + std::to_string(row.status));
    }
    return Failure(status, "found when the batch was built, from the file's header");
  }
  if (!LiesWithin(row, encoded.capacity)) {
    return Failure(Status::kCorrupt, std::to_string(row.size_bytes) + " bytes at byte " +
                                         std::to_string(row.offset_bytes) + " do not lie within the batch's " +
                                         std::to_string(encoded.capacity) + " bytes");
  }
  if (row.height <= 0 || row.width <= 0 || !IsOrientation(row.orientation)) {
    return Failure(Status::kCorrupt, "the row says " + Extents(row.height, row.width) + " pixels, orientation " +
                                         std::to_string(row.orientation));
  }
  return RowResult();
}

RowResult CheckWindow(const Row& row, const Window& window) {
  const int64_t height = ShownHeight(row), width = ShownWidth(row);
  if (LiesWithin(window, height, width)) return RowResult();
  return Failure(Status::kTooLarge, "the window of " + Extents(window.height, window.width) +
                                        " pixels (height x width) at row " + std::to_string(window.top) + ", column " +
                                        std::to_string(window.left) + " does not lie within the image of " +
                                        Extents(height, width));
}

RowResult CheckRaw(const Row& row) {
  // Two numbers of 31 bits: their product fits into 64 bits, but a multiple of it might not.
  const int64_t pixels = row.height * row.width, depth = row.codec == static_cast<int32_t>(Codec::kRaw16) ? 2 : 1;
  const bool has_channels = row.components >= 1 && row.components <= kMostRawChannels;
  const int64_t pixel = has_channels ? row.components * depth : 1;
  if (has_channels && row.size_bytes % pixel == 0 && row.size_bytes / pixel == pixels) return RowResult();
  return Failure(Status::kCorrupt, "a RAW row of " + Extents(row.height, row.width) +
                                       " pixels needs 1 to 4 components, and of each " + std::to_string(depth) +
                                       " bytes per pixel, it has " + std::to_string(row.components) +
                                       " components and " + std::to_string(row.size_bytes) + " bytes in all");
}

}  // namespace jaxdali::cpu
