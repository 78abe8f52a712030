// The part of libnvcuvid's binary interface that is used here. NVIDIA ships the library with its driver, and the header
// only with an SDK that has to be asked for. The layouts are those of nv-codec-headers (MIT), Debian's
// libffmpeg-nvenc-dev; tests/ffi/test_nvcuvid_abi.py compares them with that header where it is installed.
#ifndef JAXDALI_GPU_VIDEO_NVCUVID_ABI_H_
#define JAXDALI_GPU_VIDEO_NVCUVID_ABI_H_

#include <cstdint>

namespace jaxdali::gpu::nvcuvid {

// Handles, and CUDA's results, of which 0 is success.
using Parser = void*;
using Decoder = void*;
using Result = int;

enum Codec : int32_t { kH264 = 4, kHevc = 8 };
enum ChromaFormat : int32_t { k420 = 1 };
enum SurfaceFormat : int32_t { kNv12 = 0 };
enum Deinterlacing : int32_t { kWeave = 0 };
enum CreationFlags : uint64_t { kPreferEngine = 4 };
enum PacketFlags : uint64_t { kEndOfStream = 1, kHasTimestamp = 2, kEndOfPicture = 8 };
enum DecodeStatus : int32_t { kInProgress = 1, kSuccess = 2 };

struct Caps {
  int32_t codec, chroma;
  uint32_t depth_minus_8, reserved1[3];
  uint8_t is_supported, engines;
  uint16_t formats;  // one bit per SurfaceFormat
  uint32_t max_width, max_height, max_macroblocks;
  uint16_t min_width, min_height;
  uint8_t has_histogram, counter_depth;
  uint16_t max_bins;
  uint32_t reserved3[10];
};

// What a stream says about its pictures.
struct VideoFormat {
  int32_t codec;
  uint32_t rate_numerator, rate_denominator;
  uint8_t is_progressive, luma_depth_minus_8, chroma_depth_minus_8, least_surfaces;
  uint32_t coded_width, coded_height;
  int32_t left, top, right, bottom;  // what is shown of them
  int32_t chroma;
  uint32_t bit_rate;
  int32_t aspect_x, aspect_y;
  uint8_t range, primaries, transfer, matrix;
  uint32_t header_bytes;
};

struct Area {
  int16_t left, top, right, bottom;
};

struct CreateInfo {
  uint64_t width, height, surfaces;
  int32_t codec, chroma;
  uint64_t flags, depth_minus_8, intra_only, max_width, max_height, reserved1;
  Area shown;
  int32_t format, deinterlacing;
  uint64_t target_width, target_height, output_surfaces;
  void* lock;
  Area target;
  uint64_t has_histogram, reserved2[4];
};

struct ReconfigureInfo {
  uint32_t width, height, target_width, target_height, surfaces, reserved1[12];
  Area shown, target;
  uint32_t reserved2[11];
};

// Only what is read of it; the parser makes it, and the decoder takes it.
struct Picture {
  int32_t width_in_blocks, height_in_blocks, index;
};

struct Shown {
  int32_t index, is_progressive, top_field_first, repeat_first_field;
  int64_t timestamp;
};

struct Processing {
  int32_t is_progressive, second_field, top_field_first, unpaired_field;
  uint32_t reserved_flags, reserved_zero;
  uint64_t raw_input;
  uint32_t raw_pitch, raw_format;
  uint64_t raw_output;
  uint32_t raw_output_pitch, reserved1;
  void* stream;
  uint32_t reserved[46];
  void* reserved2[2];
};

struct PictureStatus {
  int32_t status;
  uint32_t reserved[31];
  void* reserved2[8];
};

struct Packet {
  uint64_t flags, size;
  const uint8_t* data;
  int64_t timestamp;
};

struct ParserInfo {
  int32_t codec;
  uint32_t surfaces, clock, error_threshold, display_delay, flags, reserved1[4];
  void* context;
  int (*on_sequence)(void*, VideoFormat*);
  int (*on_picture)(void*, Picture*);
  int (*on_shown)(void*, Shown*);
  void* reserved2[7];
  void* header;
};

static_assert(sizeof(Caps) == 88 && sizeof(VideoFormat) == 64 && sizeof(CreateInfo) == 176);
static_assert(sizeof(ReconfigureInfo) == 128 && sizeof(Shown) == 24 && sizeof(Processing) == 264);
static_assert(sizeof(PictureStatus) == 192 && sizeof(Packet) == 32 && sizeof(ParserInfo) == 136);

}  // namespace jaxdali::gpu::nvcuvid

#endif  // JAXDALI_GPU_VIDEO_NVCUVID_ABI_H_
