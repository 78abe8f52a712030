// What stress_engine.cc and the libnvjpeg that it loads share.
#ifndef JAXDALI_TESTS_HOST_NVJPEG_H_
#define JAXDALI_TESTS_HOST_NVJPEG_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

inline constexpr int kHostHeight = 20;  // of all files

// `host_nvjpeg`, a symbol of the library.
struct HostNvjpeg {
  std::atomic<long> failure_period{0};  // one call in so many finds no memory; 0: none
  // How many of the next calls find no memory, or refuse what they are given.
  std::atomic<long> failures{0}, refusals{0};
  // Calls whose pixels a stream waits for, and how many of them are done.
  std::atomic<long> begun{0}, done{0};
  // Calls that failed and are still writing. No stream waits for them.
  std::atomic<long> astray{0};
};

inline uint8_t PixelOf(const uint8_t* file, size_t size) {
  unsigned sum = 0;
  for (size_t index = 0; index < size; ++index) sum = sum * 31 + file[index];
  return static_cast<uint8_t>(sum);
}

#endif  // JAXDALI_TESTS_HOST_NVJPEG_H_
