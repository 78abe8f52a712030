// Rows of arrays in memory.
#ifndef JAXDALI_RECORDS_ARRAY_ROWS_H_
#define JAXDALI_RECORDS_ARRAY_ROWS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "records/row_reader.h"

namespace jaxdali::records {

// Rows in the caller's memory, each in one piece.
struct ArrayColumn {
  const uint8_t* data;
  int64_t count;
  int64_t stride;  // bytes from one row to the next; negative if they lie backward
  uint8_t dtype;
  std::vector<int64_t> dims;  // of a row
  uint64_t size_bytes;        // of a row
};

// Sample i is row i of each column; there is one column per output.
class ArrayRows : public RowReader {
 public:
  explicit ArrayRows(std::vector<ArrayColumn> columns) : columns_(std::move(columns)) {}
  bool Write(Row row, int64_t index) override { return WriteSome(row, &index, 1) == 1; }
  uint32_t WriteSome(Row first, const int64_t* indices, uint32_t count) override;

 private:
  std::vector<ArrayColumn> columns_;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_ARRAY_ROWS_H_
