// Images in MXNet's RecordIO files: records of one part, which all but a few are.
#pragma once

#include "records/row_reader.h"

namespace jaxdali::records {

class RecordioRows : public RecordReader {
 public:
  using RecordReader::RecordReader;
  bool Write(Row row, int64_t index) override;
};

}  // namespace jaxdali::records
