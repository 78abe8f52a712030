// Decodes JPEG files, or random windows of them, on one thread: `jpeg_parts FOLDER whole|windows TIMES`. Prints us an
// image.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "decoding/jpeg_decoder.h"
#include "decoding/jpeg_header.h"
#include "rows/windows.h"

namespace {

std::vector<std::string> ReadFiles(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".jpg") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return files;
}

// Draws a window as random resized crops do: 8 to 100 % of the area, 3:4 to 4:3.
jaxdali::Window Draw(std::mt19937& bits, int64_t height, int64_t width) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(bits); };
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double area = static_cast<double>(height * width) * uniform(0.08, 1);
    const double ratio = std::exp(uniform(std::log(3 / 4.), std::log(4 / 3.)));
    const int64_t h = std::lround(std::sqrt(area / ratio)), w = std::lround(std::sqrt(area * ratio));
    if (h > height || w > width) continue;
    const auto top = static_cast<int64_t>(uniform(0, 1) * (height - h + 1));
    const auto left = static_cast<int64_t>(uniform(0, 1) * (width - w + 1));
    return {top, left, h, w};
  }
  return {0, 0, height, width};
}

double CpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

}  // namespace

int main(int, char** arguments) {
  const std::vector<std::string> files = ReadFiles(arguments[1]);
  const bool whole = std::strcmp(arguments[2], "whole") == 0;
  const int times = std::atoi(arguments[3]);
  std::mt19937 bits(1);
  std::vector<uint8_t> pixels;
  const double start = CpuSeconds();
  for (int run = 0; run < times; ++run) {
    for (const std::string& file : files) {
      const auto* const bytes = reinterpret_cast<const uint8_t*>(file.data());
      jaxdali::JpegHeader header;
      jaxdali::ParseJpegHeader(bytes, file.size(), &header);
      const jaxdali::Window window =
          whole ? jaxdali::Window{0, 0, header.height, header.width} : Draw(bits, header.height, header.width);
      const size_t needed = static_cast<size_t>(window.height * window.width * jaxdali::kChannels);
      if (pixels.size() < needed) pixels.resize(needed);
      const jaxdali::cpu::JpegResult result =
          jaxdali::cpu::DecodeJpeg(bytes, file.size(), {header.height, header.width, header.components}, window,
                                   pixels.data(), window.width * jaxdali::kChannels);
      if (result.status != jaxdali::Status::kOk) {
        std::fprintf(stderr, "%s\n", result.message);
        return 1;
      }
    }
  }
  std::printf("%.1f\n", 1e6 * (CpuSeconds() - start) / (times * files.size()));
}
