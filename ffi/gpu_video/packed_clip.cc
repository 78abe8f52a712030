#include "gpu_video/packed_clip.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace jaxdali::gpu {
namespace {

constexpr int64_t kMagic = 0x6A64636C69703031;
constexpr int64_t kMostExtent = 1 << 15, kMostFrames = 1 << 24;
constexpr int kHeaderWords = 24, kPacketWords = 4;

// The words of the header.
enum Word : int {
  kMagicWord = 0,
  kIsPacked = 1,
  kFrames = 2,
  kHeight = 3,
  kWidth = 4,
  kCodec = 5,
  kStoredHeight = 6,
  kStoredWidth = 7,
  kOrientation = 8,
  kAtLeft = 9,
  kMatrix = 10,
  kFill = 16,
  kPackets = 17,
  kStampsPlace = 18,
  kPacketsPlace = 19,
  kPixelsPlace = 20,
};

[[noreturn]] void Refuse() { throw std::runtime_error("a packed clip is not as it was written"); }

class Words {
 public:
  Words(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  // Returns `count` bytes at `place`.
  const uint8_t* Bytes(int64_t place, int64_t count) const {
    const auto size = static_cast<int64_t>(size_);
    if (place < 0 || count < 0 || place > size || count > size - place) Refuse();
    return data_ + place;
  }

  std::vector<int64_t> Table(int64_t place, int64_t count) const {
    const uint8_t* const from = Bytes(place, count * static_cast<int64_t>(sizeof(int64_t)));
    std::vector<int64_t> words(static_cast<size_t>(count));
    if (count > 0) std::memcpy(words.data(), from, words.size() * sizeof(int64_t));
    return words;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

int64_t Within(int64_t number, int64_t least, int64_t most) {
  if (number < least || number > most) Refuse();
  return number;
}

}  // namespace

PackedClip UnpackClip(const uint8_t* data, size_t size) {
  const Words words(data, size);
  const std::vector<int64_t> head = words.Table(0, kHeaderWords);
  if (head[kMagicWord] != kMagic) Refuse();
  PackedClip clip{};
  clip.frames = Within(head[kFrames], 0, kMostFrames);
  clip.height = Within(head[kHeight], 1, kMostExtent);
  clip.width = Within(head[kWidth], 1, kMostExtent);
  if (Within(head[kIsPacked], 0, 1) == 0) {
    clip.pixels = words.Bytes(head[kPixelsPlace], clip.frames * clip.height * clip.width * 3);
    return clip;
  }
  clip.codec = static_cast<int32_t>(head[kCodec]);
  clip.stored_height = Within(head[kStoredHeight], 2, kMostExtent);
  clip.stored_width = Within(head[kStoredWidth], 2, kMostExtent);
  clip.orientation = static_cast<int>(Within(head[kOrientation], 1, 8));
  const bool swaps = clip.orientation > 4;
  if (clip.stored_height % 2 != 0 || clip.stored_width % 2 != 0 ||
      (swaps ? clip.width : clip.height) != clip.stored_height ||
      (swaps ? clip.height : clip.width) != clip.stored_width) {
    Refuse();
  }
  clip.at_left = head[kAtLeft] != 0;
  for (int k = 0; k < 6; ++k) clip.matrix[k] = static_cast<int32_t>(head[kMatrix + k]);
  for (int k = 0; k < 3; ++k) clip.fill[k] = static_cast<uint8_t>(head[kFill] >> 8 * k);
  clip.stamps = words.Table(head[kStampsPlace], clip.frames);
  const int64_t count = Within(head[kPackets], 0, kMostFrames);
  const std::vector<int64_t> table = words.Table(head[kPacketsPlace], count * kPacketWords);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t* const one = &table[static_cast<size_t>(k * kPacketWords)];
    clip.packets.push_back({words.Bytes(one[0], one[1]), static_cast<size_t>(one[1]), one[2], one[3] != 0});
  }
  if (!clip.packets.empty() && !clip.packets.front().begins) Refuse();
  return clip;
}

}  // namespace jaxdali::gpu
