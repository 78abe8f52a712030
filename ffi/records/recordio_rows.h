// Images in MXNet's RecordIO files, from records of one part, as almost all are.
#ifndef JAXDALI_RECORDS_RECORDIO_ROWS_H_
#define JAXDALI_RECORDS_RECORDIO_ROWS_H_

#include "records/row_reader.h"

namespace jaxdali::records {

class RecordioRows : public RecordReader {
 public:
  using RecordReader::RecordReader;
  bool Write(Row row, int64_t index) override;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_RECORDIO_ROWS_H_
