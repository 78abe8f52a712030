// Converts decoded frames of a batch of clips to RGB: the same numbers as video/yuv_to_rgb.cc, one pixel at a time.
#ifndef JAXDALI_GPU_VIDEO_FRAMES_TO_RGB_H_
#define JAXDALI_GPU_VIDEO_FRAMES_TO_RGB_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "rows/orientation_walk.h"

namespace jaxdali::gpu {

enum class FrameKind : int32_t { kFill, kNv12, kRgb };

// What all frames of a clip have in common.
struct ClipLook {
  int64_t frames, height, width;  // as they are shown
  int64_t stored_height, stored_width;
  Walk walk;  // through pixels of one byte
  int32_t at_left;
  int32_t luma, black, red_to_red, red_to_green, blue_to_green, blue_to_blue;  // as video::ColorMatrix
  uint8_t fill[4];
};

// One frame of the result; in device memory, dense.
struct FrameSource {
  const uint8_t* data;
  FrameKind kind;
};

// A batch, in device memory: `looks[clips]` and `sources[clips, frames]`.
struct ClipsToShow {
  const ClipLook* looks;
  const FrameSource* sources;
  int64_t clips, frames, height, width;  // of the result, [clips, frames, height, width, 3]
};

// Queues the conversion of all frames; what is outside of a clip becomes 0.
cudaError_t QueueFramesToRgb(const ClipsToShow& clips, uint8_t* rgb, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_FRAMES_TO_RGB_H_
