// Decodes ordinary PNG files to the pixels that Pillow gives for them.
#ifndef JAXDALI_PNG_PNG_IMAGE_H_
#define JAXDALI_PNG_PNG_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "png/png_file.h"
#include "png/scratch.h"

namespace jaxdali::png {

class PngImage {
 public:
  // Returns nullopt for files that ReadChunks refuses, or with more than `max_pixels`.
  //
  // indices: a file with a palette has one channel, the indices into it; else it has three.
  static std::optional<PngImage> Open(Bytes file, uint64_t max_pixels, bool indices);

  uint32_t height() const { return file_.height; }
  uint32_t width() const { return file_.width; }
  uint32_t channels() const { return colored() ? 3 : file_.channels(); }
  // Bytes of a level: 2 in files of 16 bits a channel, 1 in all others.
  size_t level_bytes() const { return file_.depth == 16 ? 2 : 1; }
  size_t size_bytes() const { return size_t{height()} * width() * pixel_bytes(); }

  // Inflates everything, after which nothing can go wrong. Returns false, for Pillow to say what is wrong, unless the
  // data are exactly as long as the image needs and have their checksum. Memory is bounded by the size of the image,
  // and by some thousand times that of the file. Throws std::bad_alloc.
  bool Inflate();

  // Writes the pixels, size_bytes() in the machine's byte order. Only after Inflate.
  void Write(uint8_t* out);

 private:
  // A pass of interlacing: every so many columns and rows from the first ones. Other files have one pass, with all.
  struct Pass {
    uint32_t left, top, across, down;
    uint32_t width, height;
    size_t row_bytes;
  };

  PngImage(PngFile file, bool indices) : file_(std::move(file)), indices_(indices) {}
  bool colored() const { return file_.color_type == ColorType::kPalette && !indices_; }
  size_t pixel_bytes() const { return channels() * level_bytes(); }
  size_t passes() const { return file_.interlaced ? 7 : 1; }
  Pass pass(size_t index) const;
  bool InflateProfile();
  Bytes JoinParts();
  bool HasKnownFilters() const;
  void WritePass(const Pass& pass, const uint8_t* rows, uint8_t* out);
  void WriteLevels(const Pass& pass, const uint8_t* row, uint8_t* out) const;
  void WriteLookedUp(const Pass& pass, const uint8_t* row, const uint8_t* table, uint8_t* out) const;
  void FillTable(uint8_t* table) const;

  PngFile file_;
  bool indices_;
  size_t filtered_bytes_ = 0;
  Scratch scratch_;
};

}  // namespace jaxdali::png

#endif  // JAXDALI_PNG_PNG_IMAGE_H_
