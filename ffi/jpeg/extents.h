// How many MCUs and blocks a file and its scans claim to have, and whether its bytes can hold them.
#ifndef JAXDALI_JPEG_EXTENTS_H_
#define JAXDALI_JPEG_EXTENTS_H_

#include <cstdint>

#include "jpeg/file_header.h"

namespace jaxdali::jpeg {

// Luma samples per chroma sample; one if there is no chroma.
struct Factors {
  uint32_t across, down;
};
Factors FactorsOf(const Header& image);

// How many MCUs, blocks, and segments between restart markers a file claims to have; segments only if it is not
// progressive.
struct Counts {
  uint64_t mcus_across, mcus, blocks, segments;
};
Counts CountsOf(const Header& image);

// The blocks of a component that hold pixels, in rows of `across`.
struct Raster {
  uint32_t across;
  uint64_t blocks;
};
Raster RasterOf(const Header& image, int component);

// The same of a progressive file's scan. Its MCUs have one block if it has one component.
struct ScanCounts {
  uint64_t blocks, segments;
  uint32_t mcu_blocks, restart_blocks;  // of an MCU; of a segment
};
ScanCounts CountsOf(const Header& image, const ScanHeader& scan);

// Returns the most bytes that a sound file of `size` bytes can have after its header; the device needs none beyond
// them.
uint64_t ScanBytes(const Header& image, uint64_t size);

// Returns how much device memory is taken by what is made of a file before its coefficients are, apart from its bytes;
// and by its coefficients and samples.
uint64_t NoteBytes(const Header& image);
uint64_t WindowBytes(const Header& image);

// Whether a file with so many bytes after its header can have as many blocks as it claims to have. This keeps small
// files from requesting much memory.
bool IsPlausible(const Header& image, uint64_t scan_bytes);

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_EXTENTS_H_
