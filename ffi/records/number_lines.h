// The text of an index: two numbers per line.
#ifndef JAXDALI_RECORDS_NUMBER_LINES_H_
#define JAXDALI_RECORDS_NUMBER_LINES_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali::records {

// Every `step`-th number of an array.
struct Column {
  const int64_t* first;
  int64_t step;
  int64_t operator[](size_t row) const { return first[static_cast<int64_t>(row) * step]; }
};

// Returns the bytes of the text of `rows` lines "FIRST SECOND". The caller makes room for them before it writes them:
// text that grows as it is written took twice as long.
size_t NumberLinesBytes(Column first, Column second, size_t rows);
void WriteNumberLines(Column first, Column second, size_t rows, char between, char* text);

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_NUMBER_LINES_H_
