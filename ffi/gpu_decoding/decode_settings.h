// What a file's pixels depend on, apart from the file.
#ifndef JAXDALI_GPU_DECODING_DECODE_SETTINGS_H_
#define JAXDALI_GPU_DECODING_DECODE_SETTINGS_H_

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "rows/decoder.h"
#include "rows/rows.h"

namespace jaxdali::gpu {

struct DecodeSettings {
  Decoder decoder;
  bool fancy_upsampling;
  // Whether to make one channel, the luma that libjpeg gives for a file, instead of RGB. nvJPEG is never asked for
  // luma; the host makes it instead.
  bool luma = false;

  int64_t channels() const { return luma ? 1 : kChannels; }
  // The stride and size of a row's stored pixels, which are dense.
  int64_t StrideOf(const Row& row) const { return row.width * channels(); }
  size_t BytesOf(const Row& row) const { return static_cast<size_t>(row.height * StrideOf(row)); }

  bool operator<(const DecodeSettings& other) const { return Key() < other.Key(); }
  bool operator==(const DecodeSettings& other) const { return Key() == other.Key(); }

 private:
  std::tuple<Decoder, bool, bool> Key() const { return {decoder, fancy_upsampling, luma}; }
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_DECODE_SETTINGS_H_
