// Images and the numbers that belong to them, in Caffe's and Caffe2's databases.
#ifndef JAXDALI_RECORDS_CAFFE_ROWS_H_
#define JAXDALI_RECORDS_CAFFE_ROWS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "records/protobuf.h"
#include "records/row_reader.h"

namespace jaxdali::records {

// Caffe's Datum: channels = 1, height = 2, width = 3, data = 4, label = 5, encoded = 7.
class DatumRows : public RecordReader {
 public:
  DatumRows(Places places, bool image, bool label) : RecordReader(std::move(places)), image_(image), label_(label) {}
  bool Write(Row row, int64_t index) override;

 private:
  bool image_, label_;
};

// Caffe2's TensorProtos, for callers that need their numbers unchanged.
class TensorsRows : public RecordReader {
 public:
  // numbers: of how many tensors after the image.
  TensorsRows(Places places, bool image, uint32_t numbers, bool label_of_one)
      : RecordReader(std::move(places)), image_(image), numbers_(numbers), label_of_one_(label_of_one) {}
  bool Write(Row row, int64_t index) override;

 private:
  struct Tensor {
    std::vector<int64_t> dims;
    uint64_t kind;
    std::vector<float> floats;
    std::vector<int32_t> integers;
    Range data, text;
    uint32_t texts;
  };
  bool Parse(ByteWindow& file, Range range);
  bool WriteImage(Row row, ByteWindow& file);
  bool WriteNumbers(Row row, uint32_t output, bool one);

  bool image_;
  uint32_t numbers_;
  bool label_of_one_;
  Tensor tensor_;  // the current one
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_CAFFE_ROWS_H_
