// Samples made of files that are stored unchanged inside other files: those of tar archives.
#ifndef JAXDALI_RECORDS_PLAIN_ROWS_H_
#define JAXDALI_RECORDS_PLAIN_ROWS_H_

#include <utility>
#include <vector>

#include "records/row_reader.h"

namespace jaxdali::records {

// Sample i is made of the records from `i * dtypes.size()` on, one per output. The size of each must be a multiple of
// its type's size.
class PlainRows : public RecordReader {
 public:
  // dtypes: of each output, DALI's number of the type, and the bytes of an element.
  // in_tar: whether a tar archive's head of a file must precede each.
  PlainRows(Places places, std::vector<std::pair<uint8_t, uint32_t>> dtypes, bool in_tar)
      : RecordReader(std::move(places)), dtypes_(std::move(dtypes)), in_tar_(in_tar) {}
  bool Write(Row row, int64_t index) override;

 private:
  std::vector<std::pair<uint8_t, uint32_t>> dtypes_;
  bool in_tar_;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_PLAIN_ROWS_H_
