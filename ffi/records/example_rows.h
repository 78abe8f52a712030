// Features of the Examples in TFRecord files.
#ifndef JAXDALI_RECORDS_EXAMPLE_ROWS_H_
#define JAXDALI_RECORDS_EXAMPLE_ROWS_H_

#include <string>
#include <utility>
#include <vector>

#include "records/protobuf.h"
#include "records/row_reader.h"

namespace jaxdali::records {

// A feature to read. The numbers of its kinds are those of `jaxdali.tfrecord`.
struct Feature {
  enum Kind : uint8_t { kInt64 = 0, kString = 1, kFloat32 = 2 };

  std::string name;
  uint8_t kind;
  bool fixed;
  std::vector<int64_t> shape;  // if not fixed, without the first axis
};

class ExampleRows : public RecordReader {
 public:
  ExampleRows(Places places, std::vector<Feature> features);
  bool Write(Row row, int64_t index) override;

 private:
  bool Locate(ByteWindow& file, Range example);
  bool LocateEntry(ByteWindow& file, Range entry);
  bool WriteFeature(Row row, ByteWindow& file, uint32_t number);
  bool WriteNumbers(Row row, ByteWindow& file, uint32_t number, Range packed);

  std::vector<Feature> features_;
  // Of the current Example: each feature's message, and which parts of the file were copied whole, and where to.
  std::vector<Range> found_;
  std::vector<std::pair<Range, const uint8_t*>> copied_;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_EXAMPLE_ROWS_H_
