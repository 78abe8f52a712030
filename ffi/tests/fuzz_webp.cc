// A libFuzzer target: decoding WebP files, whatever they contain.
//
// An input is kControls bytes and a file. Besides what the sanitizers find, it checks that nothing is written beside
// the pixels, that they are the same again, and that a sound file with a byte more is left to Pillow.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "fuzzing.h"
#include "webp/webp_image.h"

namespace jaxdali::webp {
namespace {

constexpr size_t kControls = 1, kRiffBytes = 12, kHeadBytes = 8;
constexpr uint64_t kMostPixels = 1 << 20;

uint32_t NumberAt(const uint8_t* at) {
  return at[0] | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
}

void PutNumber(uint32_t number, uint8_t* at) {
  for (int k = 0; k < 4; ++k) at[k] = static_cast<uint8_t>(number >> (8 * k));
}

// Gives the file and its last chunk sizes that fit, which chance would not find.
void MendSizes(std::vector<uint8_t>* file) {
  if (file->size() < kRiffBytes + kHeadBytes) return;
  if (file->size() % 2) file->push_back(0);
  std::memcpy(file->data(), "RIFF", 4);
  std::memcpy(file->data() + 8, "WEBP", 4);
  PutNumber(static_cast<uint32_t>(file->size() - kHeadBytes), file->data() + 4);
  for (size_t at = kRiffBytes; file->size() - at >= kHeadBytes;) {
    const size_t most = file->size() - at - kHeadBytes, body = NumberAt(file->data() + at + 4);
    if (body > most) return PutNumber(static_cast<uint32_t>(most), file->data() + at + 4);
    at += kHeadBytes + body + body % 2;
    if (at > file->size()) return;
  }
}

// Decodes a file into memory of exactly that size. Returns nothing if it is left to Pillow.
std::vector<uint8_t> Decoded(const std::vector<uint8_t>& file) {
  const std::optional<WebpImage> image = WebpImage::Open(file.data(), file.size(), kMostPixels);
  if (!image) return {};
  const size_t size = image->size_bytes();
  Demand(size == size_t{image->height()} * image->width() * image->channels() && size != 0,
         "an image has the bytes of its shape");
  const std::unique_ptr<uint8_t[]> pixels = PoisonedMemory(static_cast<int64_t>(size));
  if (!image->Write(pixels.get())) return {};
  return {pixels.get(), pixels.get() + size};
}

void Check(uint8_t controls, std::vector<uint8_t> file) {
  if (controls & 1) MendSizes(&file);
  const std::vector<uint8_t> pixels = Decoded(file);
  Demand(Decoded(file) == pixels, "a file has the same pixels again");
  if (pixels.empty()) return;
  file.push_back(0);
  Demand(!WebpImage::Open(file.data(), file.size(), kMostPixels), "a surplus byte is left to Pillow");
}

}  // namespace
}  // namespace jaxdali::webp

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using jaxdali::webp::kControls;
  if (size >= kControls) jaxdali::webp::Check(data[0], {data + kControls, data + size});
  return 0;
}
