#include "calls/warp/kernel_rgb.h"
#include "calls/warp/kernel_row.h"
#include "calls/warp/kernels.h"

namespace jaxdali::gpu {
namespace {

constexpr int kBlocks = 4;           // the fewest that a multiprocessor holds
constexpr int kMostSamples = 65535;  // blocks along a grid's second axis
constexpr int64_t kMostNumbers = (int64_t{1} << 30) - 1;

template <int kChannels>
struct Numbers {
  float of[kChannels];
};

template <int kChannels, typename Make>
__device__ Numbers<kChannels> ForChannels(Make make) {
  Numbers<kChannels> made;
#pragma unroll
  for (int k = 0; k < kChannels; ++k) made.of[k] = make(k);
  return made;
}

template <Between kBetween, int kChannels>
__device__ Numbers<kChannels> Weighed(const Taps<kBetween>& at,
                                      const Numbers<kChannels> (&taps)[Taps<kBetween>::kTaps]) {
  return ForChannels<kChannels>([&](int k) {
    if constexpr (kBetween == Between::kLinear) {
      return taps[0].of[k] + at.share[0] * (taps[1].of[k] - taps[0].of[k]);
    } else {
      float sum = at.share[0] * taps[0].of[k];
#pragma unroll
      for (int tap = 1; tap < Taps<kBetween>::kTaps; ++tap) sum += at.share[tap] * taps[tap].of[k];
      return sum;
    }
  });
}

// Interpolates between pixels of an image.
template <typename T, int kAxes, bool kMaps, Between kBetween, int kChannels>
struct Mixer {
  using AxisTaps = Taps<kBetween>;
  using Pixel = Numbers<kChannels>;

  __device__ Pixel At(const Row<kAxes, kMaps>& row, int32_t x) const {
    const AxisTaps last = row.template TapsOf<kBetween>(kAxes - 1, x, border);
    const AxisTaps middle = row.template TapsOf<kBetween>(kAxes - 2, x, border);
    const auto pixel = [&](int32_t number, bool out) {
      const T* const own = image + number * channels;
      return ForChannels<kChannels>([&](int k) { return out ? fill[k] : static_cast<float>(own[k]); });
    };
    const auto plane = [&](int32_t begin, bool outside) {
      return Along(middle, begin, wide, outside,
                   [&](int32_t line, bool out) { return Along(last, line, 1, out, pixel); });
    };
    if constexpr (kAxes == 2) return plane(0, false);
    return Along(row.template TapsOf<kBetween>(0, x, border), 0, high, false, plane);
  }

  // Interpolates what `make(begin, outside)` returns for each tap of an axis; each tap spans `length` pixels of the
  // next axis.
  template <typename Make>
  __device__ Pixel Along(const AxisTaps& at, int32_t begin, int32_t length, bool outside, Make make) const {
    Pixel taps[AxisTaps::kTaps];
#pragma unroll
    for (int tap = 0; tap < AxisTaps::kTaps; ++tap) {
      const int32_t own = at.index[tap];
      taps[tap] = make((begin + max(own, 0)) * length, outside || own < 0);
    }
    return Weighed<kBetween, kChannels>(at, taps);
  }

  const T* image;     // at the first channel to make
  const float* fill;  // likewise
  Border border;
  int32_t channels, wide, high;  // of the canvas: `wide` is its last axis, `high` the one before
};

// Calls `make(sample, row, x)` for the first result of each lane. All lanes of a warp call it, including those without
// a row.
template <int kAxes, bool kMaps, typename Make>
__device__ void ForRows(const Warping& w, Make make) {
  const int lane = static_cast<int>(threadIdx.x);
  const int32_t width = static_cast<int32_t>(w.size[kAxes - 1]);
  const unsigned across = (width + kBlockColumns - 1) / kBlockColumns;
  const int32_t x = static_cast<int32_t>(blockIdx.x % across) * kBlockColumns + lane % kColumnsOfWarp;
  const int32_t number = static_cast<int32_t>(blockIdx.x / across) * kBlockRows +
                         static_cast<int32_t>(threadIdx.y) * kRowsOfWarp + lane / kColumnsOfWarp;
  for (int64_t sample = blockIdx.y; sample < w.samples; sample += gridDim.y) {
    make(sample, Row<kAxes, kMaps>(w, sample, number), x);
  }
}

// Makes each lane's results: kTogether at a time with `together(x)` if that succeeds, else one by one with `one(x)`.
template <typename Together, typename One>
__device__ void ForResults(int32_t begin, Together together, One one) {
#pragma unroll 1
  for (int32_t x = begin; x < begin + kEach * kColumnsOfWarp; x += kTogether * kColumnsOfWarp) {
    if (together(x)) continue;
#pragma unroll 1
    for (int32_t each = 0; each < kTogether; ++each) one(x + each * kColumnsOfWarp);
  }
}

template <typename T, int kAxes>
__device__ const T* ImageOf(const Warping& w, int64_t sample) {
  const int64_t pixels = (kAxes == 3 ? w.canvas[0] : 1) * w.canvas[kAxes - 2] * w.canvas[kAxes - 1];
  return static_cast<const T*>(w.images) + sample * pixels * w.channels;
}

template <typename T, int kAxes, bool kMaps, Between kBetween, int kChannels>
__global__ void __launch_bounds__(kLanes* kWarps, kBlocks) MixKernel(const Warping w) {
  constexpr bool kIsRgb = sizeof(T) == 1 && kAxes == 2 && kBetween == Between::kLinear && kChannels == kRgbBytes;
  const int32_t channels = static_cast<int32_t>(w.channels);
  const int32_t wide = static_cast<int32_t>(w.canvas[kAxes - 1]), high = static_cast<int32_t>(w.canvas[kAxes - 2]);
  const bool is_inner = w.bytes && wide <= kMostInner && high <= kMostInner;
  ForRows<kAxes, kMaps>(w, [&](int64_t sample, const Row<kAxes, kMaps>& row, int32_t begin) {
    const T* const image = ImageOf<T, kAxes>(w, sample);
    const float* const fill = static_cast<const float*>(w.fill);
    const RgbRows rgb(w, row);
    for (int32_t first = 0; first < channels; first += kChannels) {
      const Mixer<T, kAxes, kMaps, kBetween, kChannels> mixer = {image + first, fill + first, w.border,
                                                                 channels,      wide,         high};
      const auto together = [&](int32_t x) {
        if constexpr (kIsRgb) return is_inner && MixTogether(ByteReader(image), wide, row, x, rgb);
        return false;
      };
      ForResults(begin, together, [&](int32_t x) {
        const auto made = x < row.results ? mixer.At(row, x) : Numbers<kChannels>{};
        if (w.bytes && kChannels == kRgbBytes) {
          uint32_t levels[kRgbBytes];
          for (int k = 0; k < kRgbBytes; ++k) levels[k] = RoundedToByte(made.of[k % kChannels]);
          rgb.Store(x, PackedRgb(levels));
        } else if (row.exists && x < row.width) {
          const int64_t at = row.to + x * channels + first;
          for (int k = 0; k < kChannels; ++k) {
            if (w.bytes) {
              static_cast<uint8_t*>(w.result)[at + k] = RoundedToByte(made.of[k]);
            } else {
              static_cast<float*>(w.result)[at + k] = made.of[k];
            }
          }
        }
      });
    }
  });
}

template <typename T, int kAxes, bool kMaps>
__global__ void __launch_bounds__(kLanes* kWarps, kBlocks) PickKernel(const Warping w) {
  const int32_t channels = static_cast<int32_t>(w.channels);
  const bool is_rgb = sizeof(T) == 1 && channels == kRgbBytes;
  ForRows<kAxes, kMaps>(w, [&](int64_t sample, const Row<kAxes, kMaps>& row, int32_t begin) {
    const T* const image = ImageOf<T, kAxes>(w, sample);
    const RgbRows rgb(w, row);
    const auto together = [&](int32_t x) {
      if constexpr (sizeof(T) == 1 && kAxes == 2) {
        return is_rgb && PickTogether(ByteReader(image), static_cast<int32_t>(w.canvas[1]), row, x, rgb);
      }
      return false;
    };
    ForResults(begin, together, [&](int32_t x) {
      const bool inside = x < row.results;
      const T* from = static_cast<const T*>(w.fill);
      if (inside) {
        int32_t pixel = 0, all = 0;  // `all` is negative if one of the indices is
#pragma unroll
        for (int axis = 0; axis < kAxes; ++axis) {
          const int32_t own = row.template TapsOf<Between::kNearest>(axis, x, w.border).index[0];
          all |= own;
          pixel = pixel * static_cast<int32_t>(w.canvas[axis]) + own;
        }
        if (all >= 0) from = image + pixel * channels;
      }
      if (is_rgb) {
        uint32_t levels[kRgbBytes];
        for (int k = 0; k < kRgbBytes; ++k) levels[k] = inside ? static_cast<uint32_t>(from[k]) : 0;
        rgb.Store(x, PackedRgb(levels));
      } else if (row.exists && x < row.width) {
        T* const to = static_cast<T*>(w.result) + row.to + x * channels;
        for (int32_t k = 0; k < channels; ++k) to[k] = inside ? from[k] : T{};
      }
    });
  });
}

using Kernel = void (*)(Warping);

template <typename T, int kAxes, bool kMaps, Between kBetween>
Kernel MixerOf(const Warping& w) {
  constexpr int kRgb = kRgbBytes;
  return w.channels == kRgb ? MixKernel<T, kAxes, kMaps, kBetween, kRgb> : MixKernel<T, kAxes, kMaps, kBetween, 1>;
}

template <typename T, bool kMaps>
Kernel MixerOf(const Warping& w) {
  if (w.axes == 3) return MixerOf<T, 3, kMaps, Between::kLinear>(w);
  if (w.between == Between::kLinear) return MixerOf<T, 2, kMaps, Between::kLinear>(w);
  return MixerOf<T, 2, kMaps, Between::kCubic>(w);
}

template <typename T>
Kernel MixerOf(const Warping& w) {
  return w.matrix.data ? MixerOf<T, true>(w) : MixerOf<T, false>(w);
}

template <typename T>
Kernel PickerOf(const Warping& w) {
  if (w.axes == 3) return w.matrix.data ? PickKernel<T, 3, true> : PickKernel<T, 3, false>;
  return w.matrix.data ? PickKernel<T, 2, true> : PickKernel<T, 2, false>;
}

Kernel KernelOf(const Warping& w) {
  switch (w.type) {
    case WarpedType::kUint8:
      return MixerOf<uint8_t>(w);
    case WarpedType::kInt16:
      return MixerOf<int16_t>(w);
    case WarpedType::kUint16:
      return MixerOf<uint16_t>(w);
    case WarpedType::kFloat32:
      return MixerOf<float>(w);
    case WarpedType::kBits8:
      return PickerOf<uint8_t>(w);
    case WarpedType::kBits16:
      return PickerOf<uint16_t>(w);
    case WarpedType::kBits32:
      return PickerOf<uint32_t>(w);
  }
  return nullptr;
}

// Returns whether the elements of an image, or of a result, can be counted in 32 bits.
bool IsCounted(const Warping& w, const int64_t (&extents)[kMostWarpedAxes]) {
  int64_t numbers = w.channels;
  for (int axis = 0; axis < w.axes; ++axis) {
    if (extents[axis] > kMostNumbers / numbers) return false;
    numbers *= extents[axis];
  }
  return true;
}

}  // namespace

cudaError_t QueueWarp(const Warping& w, cudaStream_t stream) {
  if (!IsCounted(w, w.canvas) || !IsCounted(w, w.size)) return cudaErrorInvalidValue;
  const int64_t rows = w.axes == 3 ? w.size[0] * w.size[1] : w.size[0], width = w.size[w.axes - 1];
  const int64_t across = (width + kBlockColumns - 1) / kBlockColumns;
  const int64_t blocks = (rows + kBlockRows - 1) / kBlockRows * across;
  const dim3 grid(static_cast<unsigned>(blocks),
                  static_cast<unsigned>(w.samples < kMostSamples ? w.samples : kMostSamples));
  KernelOf(w)<<<grid, dim3(kLanes, kWarps), 0, stream>>>(w);
  return cudaGetLastError();
}

}  // namespace jaxdali::gpu
