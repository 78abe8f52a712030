// The block before each member of a tar archive.
#ifndef JAXDALI_RECORDS_TAR_HEAD_H_
#define JAXDALI_RECORDS_TAR_HEAD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jaxdali::records {

constexpr uint64_t kTarBlock = 512;

// Reads digits of a base up to 10, and nothing else.
std::optional<uint64_t> Digits(std::string_view text, unsigned base);
// Reads octal digits with blanks around them, or, after a byte of 128, a binary number.
std::optional<uint64_t> TarNumber(const uint8_t* field, size_t width);
// Whether a head has the checksum that it states.
bool TarSumIsRight(const uint8_t* head);
bool TarHeadIsOfFile(const uint8_t* head);
// Whether a head is that of a file of `size` bytes.
bool TarHeadFits(const uint8_t* head, uint64_t size);

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_TAR_HEAD_H_
