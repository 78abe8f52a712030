// What must be true of a row before a byte of its image is read, and what became of the row.
#ifndef JAXDALI_ROWS_ROW_CHECKS_H_
#define JAXDALI_ROWS_ROW_CHECKS_H_

#include <cstdint>
#include <string>

#include "rows/rows.h"
#include "rows/windows.h"

namespace jaxdali::cpu {

// Where the encoded bytes of all rows are.
struct EncodedBytes {
  const uint8_t* data;
  int64_t capacity;
};

struct RowResult {
  Status status = Status::kOk;
  bool out_of_memory = false;  // the machine's fault, not the image's; then `status` means nothing
  std::string message;         // why, if status is not kOk
};

RowResult Failure(Status status, std::string message);

// Returns a text like "480 x 640".
std::string Extents(int64_t height, int64_t width);

// Checks that the row is OK, lies within `encoded`, and has extents and an orientation.
RowResult CheckRow(const Row& row, const EncodedBytes& encoded);

// Checks that a window lies within the image as it is shown. To be called after CheckRow.
RowResult CheckWindow(const Row& row, const Window& window);

// Checks that a RAW row has as many bytes as its pixels need. To be called after CheckRow.
RowResult CheckRaw(const Row& row);

// Extents after orientation.
inline int64_t ShownHeight(const Row& row) { return SwapsAxes(row.orientation) ? row.width : row.height; }
inline int64_t ShownWidth(const Row& row) { return SwapsAxes(row.orientation) ? row.height : row.width; }

}  // namespace jaxdali::cpu

#endif  // JAXDALI_ROWS_ROW_CHECKS_H_
