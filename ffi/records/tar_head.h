// The block before each member of a tar archive.
#ifndef JAXDALI_RECORDS_TAR_HEAD_H_
#define JAXDALI_RECORDS_TAR_HEAD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jaxdali::records {

constexpr uint64_t kTarBlock = 512;

// Digits of a base up to 10, and nothing else.
std::optional<uint64_t> Digits(std::string_view text, unsigned base);
// Octal digits, with blanks around them; or behind a byte of 128 the number itself.
std::optional<uint64_t> TarNumber(const uint8_t* field, size_t width);
// Of a head, whether it has the checksum that it tells.
bool TarSumIsRight(const uint8_t* head);
bool TarHeadIsOfFile(const uint8_t* head);
// Whether a head is that of a file of `size` bytes.
bool TarHeadFits(const uint8_t* head, uint64_t size);

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_TAR_HEAD_H_
