#include "calls/decode/orient.h"
#include "rows/orientation_walk.h"

namespace jaxdali::gpu {
namespace {

__global__ void Turn(const uint8_t* source, Walk walk, int64_t rows, int64_t columns, uint8_t* target,
                     int64_t target_stride) {
  const int64_t column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y;
  if (column >= columns || row >= rows) return;
  const uint8_t* const from = source + walk.start + row * walk.row_step + column * walk.column_step;
  uint8_t* const to = target + row * target_stride + column * kChannels;
  to[0] = from[0];
  to[1] = from[1];
  to[2] = from[2];
}

}  // namespace

cudaError_t CopyOriented(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                         int64_t target_stride, cudaStream_t stream) {
  const int64_t rows = SwapsAxes(orientation) ? width : height;
  const int64_t columns = SwapsAxes(orientation) ? height : width;
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>((columns + 31) / 32), static_cast<unsigned>((rows + 7) / 8));
  Turn<<<grid, block, 0, stream>>>(source, MakeWalk(height, width, orientation), rows, columns, target, target_stride);
  return cudaGetLastError();
}

}  // namespace jaxdali::gpu
