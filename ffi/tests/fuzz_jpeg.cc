// A libFuzzer target: the parallel JPEG decoder, run lane by lane on the host, whatever its files contain.
//
// An input is two files that are decoded as one batch; its first two bytes say where the second file begins. Besides
// what the sanitizers find, it checks that libjpeg-turbo decodes every file that the decoder accepts, without an error
// and to the same pixels, and that a file's neighbours do not matter.
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "decoding/jpeg_decoder.h"
#include "decoding/jpeg_header.h"
#include "fuzzing.h"
#include "jpeg/file_header.h"
#include "jpeg/model.h"

namespace jaxdali {
namespace {

constexpr size_t kControls = 2;
// Small enough for many inputs per second.
constexpr int64_t kMostPixels = 1 << 16;

void CheckImage(std::string_view file, const jpeg::ModelImage& image) {
  if (!image.is_decoded) return;
  const auto* const bytes = reinterpret_cast<const uint8_t*>(file.data());
  JpegHeader header;
  Demand(ParseJpegHeader(bytes, file.size(), &header) == Status::kOk, "a decoded file has a header");
  const int32_t height = static_cast<int32_t>(image.height), width = static_cast<int32_t>(image.width);
  Demand(header.height == height && header.width == width, "both see the same extents");
  std::vector<uint8_t> pixels(image.pixels.size());
  const cpu::JpegResult result = cpu::DecodeJpeg(bytes, file.size(), {height, width, header.components},
                                                 {0, 0, height, width}, pixels.data(), int64_t{width} * kChannels);
  Demand(result.status == Status::kOk, "libjpeg-turbo decodes what was decoded");
  Demand(pixels == image.pixels, "to the same pixels");
}

void Check(const uint8_t* data, size_t size) {
  const size_t first = (data[0] << 8 | data[1]) % (size - kControls + 1);
  const auto* const text = reinterpret_cast<const char*>(data + kControls);
  const std::vector<std::string_view> files = {{text, first}, {text + first, size - kControls - first}};
  for (const std::string_view file : files) {
    jpeg::Header image;
    const bool is_read = jpeg::ReadHeader(reinterpret_cast<const uint8_t*>(file.data()), file.size(), &image);
    if (is_read && int64_t{image.height} * image.width > kMostPixels) return;
  }
  // In one window or, of every other input, in one each.
  const uint64_t most_window_bytes = data[1] % 2 == 0 ? jpeg::kMostWindowBytes : 1;
  const std::vector<jpeg::ModelImage> images = jpeg::DecodeAsDevice(files, {true, false}, most_window_bytes);
  for (size_t index = 0; index < files.size(); ++index) CheckImage(files[index], images[index]);
  const jpeg::ModelImage alone = jpeg::DecodeAsDevice({files[1]}, {true, false})[0];
  Demand(alone.is_decoded == images[1].is_decoded, "a file is decoded, or not, whatever is beside it");
  if (alone.is_decoded) Demand(alone.pixels == images[1].pixels, "and to the same pixels");
}

}  // namespace
}  // namespace jaxdali

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size >= jaxdali::kControls) jaxdali::Check(data, size);
  return 0;
}
