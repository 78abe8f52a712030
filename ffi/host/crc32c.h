// CRC-32C, the checksum of TFRecord files.
#ifndef JAXDALI_HOST_CRC32C_H_
#define JAXDALI_HOST_CRC32C_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali::host {

// Returns the checksum of `size` bytes; polynomial 0x1edc6f41, reflected, as in RFC 3720.
// before: the checksum of the bytes that precede them.
uint32_t Crc32c(const uint8_t* data, size_t size, uint32_t before = 0);

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_CRC32C_H_
