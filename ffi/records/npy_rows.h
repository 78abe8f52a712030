// Arrays in NumPy's files, one per file, or a part of each.
#ifndef JAXDALI_RECORDS_NPY_ROWS_H_
#define JAXDALI_RECORDS_NPY_ROWS_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "records/row_reader.h"

namespace jaxdali::records {

// The part to read of arrays of one type and shape.
struct Region {
  std::vector<int64_t> begin, end;  // within the array, of each axis
  std::vector<int64_t> before;      // where that begins in the output, of each axis
  std::vector<int64_t> dims;        // of the output
  std::vector<uint8_t> fill;        // an element, to be put around the part; empty if nothing is
};

struct NpyHeader {
  uint8_t dtype;
  uint32_t item;  // bytes of an element
  std::vector<int64_t> dims;
  uint64_t data;  // place of the first element
};

// Reads the header of a file as NumPy writes it: C order, and numbers in this machine's byte order. Returns false for
// any other header.
bool ReadNpyHeader(ByteWindow& file, NpyHeader* header);

class NpyRows : public RowReader {
 public:
  // whole: reads all of each array; else reads the part that `Learn` was given for arrays of its type and shape, and
  // refuses others.
  NpyRows(std::vector<std::string> paths, bool whole) : paths_(std::move(paths)), whole_(whole) {}
  bool Write(Row row, int64_t index) override;
  void Learn(uint8_t dtype, std::vector<int64_t> shape, Region region) {
    constexpr size_t kMost = 4096;
    if (regions_.size() >= kMost) regions_.clear();
    regions_[{dtype, std::move(shape)}] = std::move(region);
  }

 private:
  std::vector<std::string> paths_;
  bool whole_;
  std::map<std::pair<uint8_t, std::vector<int64_t>>, Region> regions_;
  ByteWindow file_;
  NpyHeader header_;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_NPY_ROWS_H_
