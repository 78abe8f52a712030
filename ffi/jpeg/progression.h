// Which coefficients the scans of a progressive file have given, and where the next marker is.
#ifndef JAXDALI_JPEG_PROGRESSION_H_
#define JAXDALI_JPEG_PROGRESSION_H_

#include <cstddef>
#include <cstdint>

#include "jpeg/file_header.h"

namespace jaxdali::jpeg {

class Progression {
 public:
  Progression();

  // Notes that a scan gives bits of a component. Returns false if libjpeg-turbo would refuse the scan or warn of it, or
  // if it gives bits that were given, or before others that must precede them.
  bool Add(const ScanHeader& scan, int component);

  // Whether every bit of the first `components` components was given.
  bool IsComplete(int components) const;

 private:
  int8_t low_[kMostComponents][kBlockSize];  // the lowest bit that is known of a coefficient; kNothing
};

// Whether a table has only valid codes, for symbols up to `most_symbol`.
bool IsSound(const HuffmanSpec& spec, int most_symbol);

// Returns the offset of the first marker from `at` on that is no restart marker; `size` if there is none.
size_t FindMarker(const uint8_t* data, size_t at, size_t size);

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_PROGRESSION_H_
