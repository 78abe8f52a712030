// Writes samples of a format into slots, past Python.
//
// Writes ordinary samples and refuses all others. The format's Python code reads a refused sample again, and raises an
// error if something is wrong with it. So there are no error messages here, and both read the same data.
#ifndef JAXDALI_RECORDS_ROW_READER_H_
#define JAXDALI_RECORDS_ROW_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "records/byte_window.h"
#include "records/row.h"

namespace jaxdali::records {

class RowReader {
 public:
  RowReader() = default;
  virtual ~RowReader() = default;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;
  // Returns false if the sample is refused; what was written of its outputs will be overwritten.
  virtual bool Write(Row row, int64_t index) = 0;
  // Writes the first of `count` samples, and those after it that are quick to add. Returns how many; 0: refused.
  virtual uint32_t WriteSome(Row first, const int64_t* indices, uint32_t count) {
    return count != 0 && Write(first, *indices) ? 1 : 0;
  }
  // Called when a chunk is done: files may change before the next one.
  virtual void Pause() {}
};

// Where records lie: offset and size of each, `int64[n, 2]`, and which records lie in which file, `int64[files + 1]`.
// Their memory belongs to the caller.
struct Places {
  std::vector<std::string> paths;
  const int64_t* places;
  int64_t count;
  const int64_t* bounds;
};

// A reader of formats that have many records per file.
class RecordReader : public RowReader {
 public:
  explicit RecordReader(Places places);
  void Pause() override;

 protected:
  // Returns the file of a record, its place and size; null if it cannot be read, or is too short.
  ByteWindow* Find(int64_t index, uint64_t* place, uint64_t* size);

 private:
  Places places_;
  std::vector<std::unique_ptr<ByteWindow>> files_;
  std::vector<size_t> open_;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_ROW_READER_H_
