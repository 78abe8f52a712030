#include <algorithm>

#include "base/packed_rgb.h"
#include "calls/levels/kernels.h"

namespace jaxdali::gpu {
namespace {

constexpr int kRows = 8;          // of a block, one warp for each
constexpr int kMostChannels = 4;  // that a block counts
constexpr int kMostSlabs = 64;    // blocks that share a tile
constexpr int kPixelsOfBlock = 8192;
constexpr int kMostGrid = 65535;  // blocks along a grid's second and third axis
// Neighbouring lanes, whose levels are often equal, count in different banks; otherwise they would wait for each other.
constexpr int kBanks = 4;
// A lane looks up this many words, each kLanes words after the previous one.
constexpr int kWordBytes = 4, kWords = 4;
constexpr int kLookUpBytes = kWords * kLanes * kWordBytes;

__device__ int32_t Held(int32_t value, int32_t low, int64_t high) {
  return min(max(value, low), static_cast<int32_t>(high));
}

// Counts part of the rows of one tile, which `slabs` blocks share, in up to four channels starting with `first`.
__global__ void __launch_bounds__(kLanes* kRows) CountKernel(const LevelCounts counts, const int slabs) {
  __shared__ int32_t banks[kBanks][kMostChannels][kLevels];
  const LevelImages& images = counts.images;
  const int64_t tile = blockIdx.x / slabs;
  const int slab = static_cast<int>(blockIdx.x % slabs);
  const int64_t first = int64_t{blockIdx.z} * kMostChannels;
  const int channels = static_cast<int>(min(images.channels - first, int64_t{kMostChannels}));
  const int thread = static_cast<int>(threadIdx.y * kLanes + threadIdx.x);
  int32_t* const flat = &banks[0][0][0];
  for (int64_t sample = blockIdx.y; sample < images.samples; sample += gridDim.y) {
    for (int k = thread; k < kBanks * kMostChannels * kLevels; k += kLanes * kRows) flat[k] = 0;
    __syncthreads();
    const int32_t height = Held(images.extents.Of(sample)[0], 0, images.height);
    const int32_t width = Held(images.extents.Of(sample)[1], 0, images.width);
    const int32_t tile_height = Held(counts.tiles.Of(sample)[0], 1, 2 * images.height);
    const int32_t tile_width = Held(counts.tiles.Of(sample)[1], 1, 2 * images.width);
    const int64_t top = tile / counts.columns * tile_height, left = tile % counts.columns * tile_width;
    const uint8_t* const image = images.pixels + sample * images.height * images.width * images.channels + first;
    for (int32_t row = slab * kRows + static_cast<int32_t>(threadIdx.y); row < tile_height && height > 0 && width > 0;
         row += slabs * kRows) {
      const uint8_t* const from = image + Mirrored(top + row, height) * images.width * images.channels;
      for (int32_t x = static_cast<int32_t>(threadIdx.x); x < tile_width; x += kLanes) {
        const uint8_t* const pixel = from + Mirrored(left + x, width) * images.channels;
        for (int c = 0; c < channels; ++c) atomicAdd(&banks[threadIdx.x % kBanks][c][pixel[c]], 1);
      }
    }
    __syncthreads();
    int32_t* const result =
        counts.result + ((sample * counts.rows * counts.columns + tile) * images.channels + first) * kLevels;
    for (int k = thread; k < channels * kLevels; k += kLanes * kRows) {
      int32_t sum = 0;
      for (int bank = 0; bank < kBanks; ++bank) sum += flat[bank * kMostChannels * kLevels + k];
      if (sum != 0) atomicAdd(result + k, sum);
    }
    __syncthreads();
  }
}

// Replaces the four bytes of a row that start at `at` by their entries in a sample's tables, and those from `used` on
// by zeros.
template <int kChannels>
__device__ uint32_t LookedUp(uint32_t word, int64_t at, int64_t used, int channels, const uint8_t* tables) {
  int channel = static_cast<int>(at % (kChannels ? kChannels : channels));
  uint32_t made = 0;
#pragma unroll
  for (int k = 0; k < kWordBytes; ++k) {
    const uint32_t level = word >> 8 * k & 255;
    if (at + k < used) made |= uint32_t{tables[channel * kLevels + level]} << 8 * k;
    channel = channel + 1 == channels ? 0 : channel + 1;
  }
  return made;
}

// Looks up part of a row: kWords words per lane, which are all read before the first is looked up.
template <int kChannels>
__global__ void __launch_bounds__(kLanes* kRows) LookUpKernel(const LevelLookup lookup) {
  const LevelImages& images = lookup.images;
  const int channels = kChannels ? kChannels : static_cast<int>(images.channels);
  const int64_t bytes = images.width * channels;
  const int64_t blocks = (bytes + kLookUpBytes - 1) / kLookUpBytes;
  const int64_t row = blockIdx.x / blocks * kRows + threadIdx.y;
  const int64_t begin = blockIdx.x % blocks * kLookUpBytes + threadIdx.x * kWordBytes;
  if (row >= images.height) return;
  for (int64_t sample = blockIdx.y; sample < images.samples; sample += gridDim.y) {
    const int64_t height = Held(images.extents.Of(sample)[0], 0, images.height);
    const int64_t used = row < height ? int64_t{Held(images.extents.Of(sample)[1], 0, images.width)} * channels : 0;
    const uint8_t* const tables = lookup.tables + sample * channels * kLevels;
    const int64_t first = (sample * images.height + row) * bytes;
    const uint8_t* const from = images.pixels + first;
    uint8_t* const to = lookup.result + first;
    const auto word_at = [&](int k) { return begin + k * kLanes * kWordBytes; };
    if (bytes % kWordBytes == 0) {
      uint32_t words[kWords];
#pragma unroll
      for (int k = 0; k < kWords; ++k) {
        words[k] = word_at(k) < bytes ? *reinterpret_cast<const uint32_t*>(from + word_at(k)) : 0;
      }
#pragma unroll
      for (int k = 0; k < kWords; ++k) words[k] = LookedUp<kChannels>(words[k], word_at(k), used, channels, tables);
#pragma unroll
      for (int k = 0; k < kWords; ++k) {
        if (word_at(k) < bytes) *reinterpret_cast<uint32_t*>(to + word_at(k)) = words[k];
      }
      continue;
    }
    for (int k = 0; k < kWords; ++k) {
      for (int64_t at = word_at(k); at < bytes && at < word_at(k) + kWordBytes; ++at) {
        to[at] = at < used ? tables[at % channels * kLevels + from[at]] : 0;
      }
    }
  }
}

}  // namespace

cudaError_t QueueLevelCounts(const LevelCounts& counts, cudaStream_t stream) {
  const LevelImages& images = counts.images;
  const int64_t tiles = counts.rows * counts.columns, results = images.samples * tiles * images.channels * kLevels;
  if (results == 0) return cudaSuccess;
  const cudaError_t status = cudaMemsetAsync(counts.result, 0, results * sizeof(int32_t), stream);
  if (status != cudaSuccess || images.height == 0 || images.width == 0) return status;
  const int64_t slabs = std::clamp<int64_t>(images.height * images.width / tiles / kPixelsOfBlock, 1, kMostSlabs);
  const int64_t groups = (images.channels + kMostChannels - 1) / kMostChannels;
  constexpr int64_t kMost = INT32_MAX;
  if (tiles * slabs > kMost || groups > kMostGrid || images.height > kMost / 2 || images.width > kMost / 2) {
    return cudaErrorInvalidValue;
  }
  const dim3 grid(static_cast<unsigned>(tiles * slabs),
                  static_cast<unsigned>(std::min<int64_t>(images.samples, kMostGrid)), static_cast<unsigned>(groups));
  CountKernel<<<grid, dim3(kLanes, kRows), 0, stream>>>(counts, static_cast<int>(slabs));
  return cudaGetLastError();
}

cudaError_t QueueLevelLookup(const LevelLookup& lookup, cudaStream_t stream) {
  const LevelImages& images = lookup.images;
  if (images.samples * images.height * images.width * images.channels == 0) return cudaSuccess;
  const int64_t parts = (images.width * images.channels + kLookUpBytes - 1) / kLookUpBytes;
  const int64_t blocks = parts * ((images.height + kRows - 1) / kRows);
  if (blocks > INT32_MAX) return cudaErrorInvalidValue;
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(std::min<int64_t>(images.samples, kMostGrid)));
  const auto kernel = images.channels == 1 ? LookUpKernel<1> : images.channels == 3 ? LookUpKernel<3> : LookUpKernel<0>;
  kernel<<<grid, dim3(kLanes, kRows), 0, stream>>>(lookup);
  return cudaGetLastError();
}

}  // namespace jaxdali::gpu
