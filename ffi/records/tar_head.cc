#include "records/tar_head.h"

namespace jaxdali::records {
using Text = std::string_view;

std::optional<uint64_t> Digits(Text text, unsigned base) {
  if (text.empty()) return std::nullopt;
  uint64_t number = 0;
  for (const char digit : text) {
    const auto value = static_cast<unsigned>(digit) - '0';
    if (value >= base) return std::nullopt;
    number = number * base + value;
  }
  return number;
}

std::optional<uint64_t> TarNumber(const uint8_t* field, size_t width) {
  if (field[0] & 128) {
    uint64_t number = 0;
    if (field[0] != 128 || field[width - 8] & 128) return std::nullopt;
    for (size_t k = 1; k < width; ++k) {
      if (k < width - 8 && field[k] != 0) return std::nullopt;
      if (k >= width - 8) number = number << 8 | field[k];
    }
    return number;
  }
  Text text(reinterpret_cast<const char*>(field), width);
  text = text.substr(0, text.find('\0'));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return Digits(text, 8);
}

bool TarSumIsRight(const uint8_t* head) {
  uint32_t sum = 8 * ' ';
  for (uint64_t k = 0; k < kTarBlock; ++k) sum += head[k];
  for (size_t k = 148; k < 156; ++k) sum -= head[k];
  const std::optional<uint64_t> told = (head[148] & 128) ? std::nullopt : TarNumber(head + 148, 8);
  return told.has_value() && *told == sum;
}

bool TarHeadIsOfFile(const uint8_t* head) { return head[156] == 0 || head[156] == '0' || head[156] == '7'; }

bool TarHeadFits(const uint8_t* head, uint64_t size) {
  if (!TarSumIsRight(head) || !TarHeadIsOfFile(head)) return false;
  // If a file is too large for the digits of the head, PAX gives its size.
  return size >= uint64_t{1} << 33 || TarNumber(head + 124, 12) == size;
}

}  // namespace jaxdali::records
