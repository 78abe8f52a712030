#include <algorithm>

#include "gpu_video/frames_to_rgb.h"

namespace jaxdali::gpu {
namespace {

constexpr int kThreads = 256;
constexpr int64_t kMostGrid = 65535;  // blocks along a grid's second axis
constexpr int32_t kGray = 128 << 9;

__device__ uint32_t Product(int32_t a, int32_t b) { return static_cast<uint32_t>(a) * static_cast<uint32_t>(b); }

// Sums that wrap are below 0, as in libswscale.
__device__ uint8_t Level(uint32_t sum) {
  return static_cast<uint8_t>(min(max(static_cast<int32_t>(sum), 0), (1 << 30) - 1) >> 22);
}

// Interleaved chroma of one column, blue and red; the nearer line counts three times.
__device__ int2 Sum(const uint8_t* near, const uint8_t* far, int64_t column) {
  return {3 * near[2 * column] + far[2 * column], 3 * near[2 * column + 1] + far[2 * column + 1]};
}

__device__ void ConvertNv12(const ClipLook& look, const uint8_t* frame, int64_t y, int64_t x, uint8_t* rgb) {
  const int64_t width = look.stored_width, lines = look.stored_height / 2, columns = width / 2;
  const uint8_t* const chroma = frame + look.stored_height * width;
  const int64_t near = y / 2, far = y % 2 != 0 ? min(near + 1, lines - 1) : max(near - 1, int64_t{0});
  const uint8_t *const near_line = chroma + near * width, *const far_line = chroma + far * width;
  const int64_t column = x / 2, odd = x % 2;
  const int2 here = Sum(near_line, far_line, column);
  const int64_t beside = odd != 0            ? min(column + 1, columns - 1)
                         : look.at_left != 0 ? column
                                             : max(column - 1, int64_t{0});
  const int2 there = Sum(near_line, far_line, beside);
  // Where chroma lies at the left, `there` is `here` on even columns; else the nearer of two columns counts three
  // times.
  const int32_t weight = look.at_left != 0 ? 1 : 3, scale = look.at_left != 0 ? 64 : 32;
  const int32_t blue = scale * (weight * here.x + there.x) - kGray;
  const int32_t red = scale * (weight * here.y + there.y) - kGray;
  const uint32_t luma = Product((frame[y * width + x] << 9) - look.black, look.luma) + (1u << 21);
  rgb[0] = Level(luma + Product(red, look.red_to_red));
  rgb[1] = Level(luma + Product(red, look.red_to_green) + Product(blue, look.blue_to_green));
  rgb[2] = Level(luma + Product(blue, look.blue_to_blue));
}

__global__ void __launch_bounds__(kThreads) ConvertKernel(const ClipsToShow clips, uint8_t* rgb) {
  const int64_t pixels = clips.height * clips.width;
  const int64_t pixel = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (pixel >= pixels) return;
  const int64_t row = pixel / clips.width, column = pixel % clips.width;
  for (int64_t frame = blockIdx.y; frame < clips.clips * clips.frames; frame += gridDim.y) {
    const ClipLook& look = clips.looks[frame / clips.frames];
    const FrameSource source = clips.sources[frame];
    uint8_t level[3] = {0, 0, 0};
    if (row < look.height && column < look.width && frame % clips.frames < look.frames) {
      if (source.kind == FrameKind::kFill) {
        for (int k = 0; k < 3; ++k) level[k] = look.fill[k];
      } else if (source.kind == FrameKind::kRgb) {
        for (int k = 0; k < 3; ++k) level[k] = source.data[(row * look.width + column) * 3 + k];
      } else {
        const int64_t place = look.walk.start + row * look.walk.row_step + column * look.walk.column_step;
        ConvertNv12(look, source.data, place / look.stored_width, place % look.stored_width, level);
      }
    }
    uint8_t* const to = rgb + (frame * pixels + pixel) * 3;
    for (int k = 0; k < 3; ++k) to[k] = level[k];
  }
}

}  // namespace

cudaError_t QueueFramesToRgb(const ClipsToShow& clips, uint8_t* rgb, cudaStream_t stream) {
  const int64_t blocks = (clips.height * clips.width + kThreads - 1) / kThreads;
  const int64_t frames = std::min(clips.clips * clips.frames, kMostGrid);
  if (blocks == 0 || frames == 0) return cudaSuccess;
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(frames));
  ConvertKernel<<<grid, kThreads, 0, stream>>>(clips, rgb);
  return cudaGetLastError();
}

}  // namespace jaxdali::gpu
