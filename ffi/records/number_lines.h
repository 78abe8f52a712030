// The text of an index: two numbers a line.
#ifndef JAXDALI_RECORDS_NUMBER_LINES_H_
#define JAXDALI_RECORDS_NUMBER_LINES_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali::records {

// Numbers of an array, every `step`-th of them.
struct Column {
  const int64_t* first;
  int64_t step;
  int64_t operator[](size_t row) const { return first[static_cast<int64_t>(row) * step]; }
};

// Bytes of the text of `rows` lines "FIRST SECOND". The caller makes room for them before it writes them: text that
// grows as it is written took twice as long.
size_t NumberLinesBytes(Column first, Column second, size_t rows);
void WriteNumberLines(Column first, Column second, size_t rows, char between, char* text);

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_NUMBER_LINES_H_
