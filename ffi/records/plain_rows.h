// Samples of files that lie in other files as they are: those of tar archives.
#ifndef JAXDALI_RECORDS_PLAIN_ROWS_H_
#define JAXDALI_RECORDS_PLAIN_ROWS_H_

#include <utility>
#include <vector>

#include "records/row_reader.h"

namespace jaxdali::records {

// Sample i has records `i * dtypes.size()` on, one per output; of none of them more bytes than its type has a multiple
// of.
class PlainRows : public RecordReader {
 public:
  // dtypes: DALI's number of each, and its bytes.
  // in_tar: whether a tar archive's head of a file must be before each.
  PlainRows(Places places, std::vector<std::pair<uint8_t, uint32_t>> dtypes, bool in_tar)
      : RecordReader(std::move(places)), dtypes_(std::move(dtypes)), in_tar_(in_tar) {}
  bool Write(Row row, int64_t index) override;

 private:
  std::vector<std::pair<uint8_t, uint32_t>> dtypes_;
  bool in_tar_;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_PLAIN_ROWS_H_
