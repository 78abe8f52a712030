// What fuzz targets share.
#ifndef JAXDALI_TESTS_FUZZING_H_
#define JAXDALI_TESTS_FUZZING_H_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace jaxdali {

inline void Demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "it does not hold that %s\n", what);
  std::abort();
}

// Returns memory of exactly that size, so that access to a byte beyond it is seen.
inline std::unique_ptr<uint8_t[]> PoisonedMemory(int64_t size) {
  constexpr uint8_t kPoison = 0xA5;
  std::unique_ptr<uint8_t[]> memory(new uint8_t[size]);
  std::memset(memory.get(), kPoison, size);
  return memory;
}

inline bool AreZeros(const uint8_t* bytes, int64_t size) {
  return std::all_of(bytes, bytes + size, [](uint8_t byte) { return byte == 0; });
}

}  // namespace jaxdali

#endif  // JAXDALI_TESTS_FUZZING_H_
