#include "records/number_lines.h"

#include <charconv>

namespace jaxdali::records {
namespace {

constexpr size_t kMostDigits = 20;  // of an int64, with its sign

size_t Digits(int64_t number) {
  if (number < 0) {
    char text[kMostDigits];
    return static_cast<size_t>(std::to_chars(text, text + kMostDigits, number).ptr - text);
  }
  size_t digits = 1;
  for (uint64_t beyond = 10; digits < 19 && static_cast<uint64_t>(number) >= beyond; beyond *= 10) ++digits;
  return digits;
}

}  // namespace

size_t NumberLinesBytes(Column first, Column second, size_t rows) {
  size_t bytes = 2 * rows;
  for (size_t row = 0; row < rows; ++row) bytes += Digits(first[row]) + Digits(second[row]);
  return bytes;
}

void WriteNumberLines(Column first, Column second, size_t rows, char between, char* text) {
  for (size_t row = 0; row < rows; ++row) {
    text = std::to_chars(text, text + kMostDigits, first[row]).ptr;
    *text++ = between;
    text = std::to_chars(text, text + kMostDigits, second[row]).ptr;
    *text++ = '\n';
  }
}

}  // namespace jaxdali::records
