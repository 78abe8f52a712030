// Element types, numbered as DALI numbers them (jaxdali/_base/dtypes.py, DALIDataType).
#ifndef JAXDALI_HOST_DTYPE_H_
#define JAXDALI_HOST_DTYPE_H_

#include <cstddef>
#include <cstdint>

#include "host/dlpack_abi.h"

namespace jaxdali::host {

inline constexpr uint8_t kNoDtype = 0xff;

struct DtypeInfo {
  char kind;  // 'u', 'i', 'f', '?'
  uint8_t size_bytes;
};

// Indexed by DALIDataType: UINT8..UINT64, INT8..INT64, FLOAT16, FLOAT, FLOAT64, BOOL.
inline constexpr DtypeInfo kDtypes[] = {{'u', 1}, {'u', 2}, {'u', 4}, {'u', 8}, {'i', 1}, {'i', 2},
                                        {'i', 4}, {'i', 8}, {'f', 2}, {'f', 4}, {'f', 8}, {'?', 1}};
inline constexpr uint8_t kDtypeCount = sizeof(kDtypes) / sizeof(kDtypes[0]);

// Returns the type of a PEP 3118 format of one element in native byte order. Returns kNoDtype for anything else
// (complex numbers, structs, text, foreign byte order), which the caller converts or refuses.
inline uint8_t DtypeOfFormat(const char* format, size_t item_size) {
  if (format == nullptr) return 0;  // PEP 3118: no format means unsigned bytes
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (*format == '\0' || format[1] != '\0') return kNoDtype;
  char kind;
  switch (*format) {
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      kind = 'u';
      break;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      kind = 'i';
      break;
    case 'e':
    case 'f':
    case 'd':
      kind = 'f';
      break;
    case '?':
      kind = '?';
      break;
    default:
      return kNoDtype;
  }
  for (uint8_t dtype = 0; dtype < kDtypeCount; ++dtype) {
    if (kDtypes[dtype].kind == kind && kDtypes[dtype].size_bytes == item_size) return dtype;
  }
  return kNoDtype;
}

inline DLDataType ToDLPack(uint8_t dtype) {
  const DtypeInfo info = kDtypes[dtype];
  const uint8_t code = info.kind == 'u' ? kDLUInt : info.kind == 'i' ? kDLInt : info.kind == 'f' ? kDLFloat : kDLBool;
  return {code, static_cast<uint8_t>(info.size_bytes * 8), 1};
}

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_DTYPE_H_
