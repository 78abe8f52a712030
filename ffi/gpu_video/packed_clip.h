// A clip as workers pack it (jaxdali/_feed/records/packed_clip.py): packets of its file, or pixels.
#ifndef JAXDALI_GPU_VIDEO_PACKED_CLIP_H_
#define JAXDALI_GPU_VIDEO_PACKED_CLIP_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace jaxdali::gpu {

// Instead of a stamp: a frame that the file does not have.
inline constexpr int64_t kNoFrame = std::numeric_limits<int64_t>::min();

struct ClipPacket {
  const uint8_t* data;
  size_t size;
  int64_t stamp;
  bool begins;  // with a key frame; decoding begins anew
};

struct PackedClip {
  int64_t frames, height, width;  // as they are shown
  const uint8_t* pixels;          // dense, if the clip is not made of packets
  int32_t codec;
  int64_t stored_height, stored_width;
  int orientation;  // as EXIF numbers it
  bool at_left;     // chroma lies at the left one of two columns
  int32_t matrix[6];
  uint8_t fill[3];
  std::vector<int64_t> stamps;  // one for each frame
  std::vector<ClipPacket> packets;
};

// Reads a clip. Throws std::runtime_error unless everything lies within its bytes.
PackedClip UnpackClip(const uint8_t* data, size_t size);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_PACKED_CLIP_H_
