// Slots full of files for the decode engine, and what is expected of their images. For stress_engine.cc.
#ifndef JAXDALI_TESTS_STRESS_SLOTS_H_
#define JAXDALI_TESTS_STRESS_SLOTS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "engine/ahead_job.h"
#include "tests/host_nvjpeg.h"

namespace jaxdali::gpu {

inline constexpr int kHostWidth = 30;
inline constexpr size_t kSlotBytes = size_t{1} << 20;

inline void Demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// What is expected of an image: a pixel, or that it is OK, or that it is not.
inline constexpr int kAnyPixel = 256, kBad = 257;

struct File {
  std::vector<uint8_t> bytes;
  int expected;
};

inline std::vector<File> files;
struct Slot {
  std::vector<uint8_t> data = std::vector<uint8_t>(kSlotBytes);
  std::vector<int32_t> fields;
  std::vector<int> expected;
  std::atomic<int> holds{0};
};

inline HeldBytes Hold(Slot& slot) {
  auto* const tensor = new host::DLManagedTensor{};
  tensor->dl_tensor.data = slot.data.data();
  tensor->dl_tensor.ndim = 1;
  tensor->dl_tensor.shape = new int64_t[1]{static_cast<int64_t>(slot.data.size())};
  tensor->manager_ctx = &slot;
  tensor->deleter = [](host::DLManagedTensor* self) {
    --static_cast<Slot*>(self->manager_ctx)->holds;
    delete[] self->dl_tensor.shape;
    delete self;
  };
  ++slot.holds;
  return HeldBytes(tensor);
}

// Fills a slot with some files, some raw pixels, and now and then a row that says it is bad.
inline void Fill(Slot& slot, size_t count, std::mt19937& draws) {
  Demand(slot.holds == 0, "a slot is filled that somebody reads");
  slot.fields.clear();
  slot.expected.clear();
  int64_t offset = 0;
  for (size_t index = 0; index < count; ++index) {
    Row row = {offset, 0, kHostHeight, kHostWidth, kChannels, static_cast<int32_t>(Codec::kJpeg), 1, 0};
    row.orientation = static_cast<int32_t>(1 + draws() % 8);
    const size_t choice = draws() % (files.size() + 4);
    std::vector<uint8_t> pixels;
    if (choice >= files.size()) {
      pixels.assign(static_cast<size_t>(kHostHeight * kHostWidth * kChannels), static_cast<uint8_t>(draws()));
      row.codec = static_cast<int32_t>(Codec::kRaw);
    }
    const std::vector<uint8_t>& bytes = pixels.empty() ? files[choice].bytes : pixels;
    int expected = pixels.empty() ? files[choice].expected : pixels[0];
    if (draws() % 20 == 0) {
      row.status = static_cast<int32_t>(Status::kCorrupt);
      expected = kBad;
    }
    row.size_bytes = static_cast<int64_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), slot.data.begin() + offset);
    offset += (row.size_bytes + kAlignment - 1) / kAlignment * kAlignment;
    slot.fields.resize(slot.fields.size() + kRowFields);
    StoreRow(row, &slot.fields[slot.fields.size() - kRowFields]);
    slot.expected.push_back(expected);
  }
}

// Checks every image of a decoded job; returns how many are good.
inline long Inspect(const AheadJob& job, const Slot& slot) {
  long good = 0;
  for (size_t index = 0; index < job.images.size(); ++index) {
    const AheadImage& image = job.images[index];
    const int expected = slot.expected[index];
    Demand((image.result.status == Status::kOk) == (expected != kBad), "a status is wrong");
    if (expected == kBad) continue;
    const uint8_t* const pixels = job.block->data() + image.offset;
    // libjpeg-turbo and our own kernels decode what is really in a file, unlike host_nvjpeg.cc.
    const Decoder decoder = job.settings.decoder;
    const bool is_read =
        (decoder == Decoder::kCpu || decoder == Decoder::kCuda) && image.row.codec != static_cast<int32_t>(Codec::kRaw);
    const bool known = expected < kAnyPixel && !is_read;
    const size_t size = static_cast<size_t>(kHostHeight * kHostWidth * kChannels);
    for (size_t place = 0; known && place < size; place += 299) {
      Demand(pixels[place] == expected, "a pixel is wrong");
    }
    ++good;
  }
  return good;
}

inline void ReadFiles(const char* folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    File file = {{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}, kAnyPixel};
    if (entry.path().filename().string().rfind("plain", 0) == 0) {
      file.expected = PixelOf(file.bytes.data(), file.bytes.size());
    }
    files.push_back(std::move(file));
  }
  Demand(!files.empty(), "there are no files");
}

}  // namespace jaxdali::gpu

#endif  // JAXDALI_TESTS_STRESS_SLOTS_H_
