// Places arrays one after the other in a piece of memory.
#ifndef JAXDALI_JPEG_LAYOUT_H_
#define JAXDALI_JPEG_LAYOUT_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace jaxdali::jpeg {

inline constexpr uint64_t kAlign = 256;
// Everything that has 32-bit indices stays below this, with some margin.
inline constexpr uint64_t kMostIndices = uint64_t{1} << 31;

inline uint64_t Aligned(uint64_t size, uint64_t to = kAlign) { return (size + to - 1) / to * to; }

class Layout {
 public:
  uint64_t Add(uint64_t bytes) {
    const uint64_t at = used_;
    used_ = Aligned(used_ + bytes);
    return at;
  }
  uint64_t used() const { return used_; }

 private:
  uint64_t used_ = 0;
};

template <typename Item>
uint64_t Bytes(const std::vector<Item>& items) {
  return Aligned(items.size() * sizeof(Item));
}

// Writes arrays for the device, in one piece, to memory of the host.
class ArrayWriter {
 public:
  // `device` is where the device will have what is written to `host`.
  ArrayWriter(uint8_t* host, const uint8_t* device) : host_(host), device_(device) {}

  // Returns where the device will have it.
  template <typename Item>
  const Item* Put(const std::vector<Item>& items) {
    return Put<Item>(items.size(), [&items](Item* to) { std::copy(items.begin(), items.end(), to); });
  }
  // The same of `count` items that `write(to)` writes.
  template <typename Item, typename Write>
  const Item* Put(uint64_t count, Write write) {
    const uint64_t at = layout_.Add(count * sizeof(Item));
    write(reinterpret_cast<Item*>(host_ + at));
    return reinterpret_cast<const Item*>(device_ + at);
  }

 private:
  Layout layout_;
  uint8_t* host_;
  const uint8_t* device_;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_LAYOUT_H_
