#include "gpu_video/engine_decoder.h"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "gpu_decoding/memory.h"
#include "gpu_video/nvcuvid_library.h"

namespace jaxdali::gpu {
namespace {

using namespace nvcuvid;  // NOLINT: only its plain structures

// Frames that may wait to be shown while others are decoded.
constexpr int kDelay = 4;
// Decoders are made for a few extents, and fitted to smaller ones, which takes no time.
constexpr uint32_t kExtentStep = 512;
// How often a status is asked for that should be there, 1 ms apart.
constexpr int kMostPolls = 1000;

// What is wrong with a clip itself.
class Damage : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

void Require(Result result, const char* call) {
  if (result != 0) throw std::runtime_error(std::string(call) + ": CUDA error " + std::to_string(result));
}

Area AreaOf(uint32_t width, uint32_t height) {
  return {0, 0, static_cast<int16_t>(width), static_cast<int16_t>(height)};
}

}  // namespace

// One pass of packets from a key frame on, with a parser of its own. The parser calls back into C, so what is wrong is
// noted instead of thrown.
class EngineDecoder::Run {
 public:
  Run(EngineDecoder& owner, const PackedClip& clip, const std::vector<int64_t>& stamps, uint8_t* frames,
      cudaStream_t stream)
      : owner_(owner), clip_(clip), stamps_(stamps), frames_(frames), stream_(stream) {
    ParserInfo info{};
    info.codec = clip.codec;
    info.surfaces = 1;  // until the sequence says how many it needs
    info.display_delay = kDelay;
    info.context = this;
    info.on_sequence = [](void* self, VideoFormat* format) { return static_cast<Run*>(self)->OnSequence(*format); };
    info.on_picture = [](void* self, Picture* picture) { return static_cast<Run*>(self)->OnPicture(picture); };
    info.on_shown = [](void* self, Shown* shown) { return static_cast<Run*>(self)->OnShown(shown); };
    Require(Nvcuvid().CreateVideoParser(&parser_, &info), "cuvidCreateVideoParser");
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { Nvcuvid().DestroyVideoParser(parser_); }

  // Returns why the packets from `first` to `end` cannot be decoded, if so.
  ClipFault Decode(size_t first, size_t end) {
    key_stamp_ = clip_.packets[first].stamp;
    for (size_t k = first; k < end && fault_.text.empty(); ++k) {
      const ClipPacket& one = clip_.packets[k];
      Feed({kHasTimestamp | kEndOfPicture, one.size, one.data, one.stamp});
    }
    if (fault_.text.empty()) Feed({kEndOfStream, 0, nullptr, 0});
    // The parser leaves out what it cannot use. What comes before the key frame may lack what it was predicted from.
    for (size_t k = first; k < end && fault_.text.empty(); ++k) {
      const int64_t stamp = clip_.packets[k].stamp;
      if (stamp >= key_stamp_ && seen_.count(stamp) == 0) fault_ = {"a frame was left out", true};
    }
    return fault_;
  }

 private:
  // Keeps the first fault, from which others follow.
  void Note(std::string text, bool elsewhere) {
    if (fault_.text.empty()) fault_ = {std::move(text), elsewhere};
  }

  void Feed(Packet packet) {
    const Result result = Nvcuvid().ParseVideoData(parser_, &packet);
    if (result != 0) Note("cuvidParseVideoData: CUDA error " + std::to_string(result), true);
  }

  int OnSequence(const VideoFormat& format) noexcept {
    try {
      if (format.codec != clip_.codec || format.chroma != k420 || format.luma_depth_minus_8 != 0 ||
          format.chroma_depth_minus_8 != 0) {
        throw std::runtime_error("the file changes its format");
      }
      if (format.right - format.left != clip_.stored_width || format.bottom - format.top != clip_.stored_height) {
        throw std::runtime_error("the file changes its frames' extents");
      }
      if (format.left % 2 != 0 || format.top % 2 != 0) throw std::runtime_error("its frames begin at odd pixels");
      left_ = format.left;
      top_ = format.top;
      return owner_.Fit(format);
    } catch (const std::exception& error) {
      Note(error.what(), true);
      return 0;
    }
  }

  int OnPicture(Picture* picture) noexcept {
    const Result result = Nvcuvid().DecodePicture(owner_.decoder_, picture);
    if (result != 0) Note("cuvidDecodePicture: CUDA error " + std::to_string(result), true);
    return result == 0 ? 1 : 0;
  }

  int OnShown(const Shown* shown) noexcept {
    if (shown == nullptr) return 1;
    try {
      if (shown->timestamp >= key_stamp_) Take(*shown);
    } catch (const Damage& damage) {
      Note(damage.what(), false);
    } catch (const std::exception& error) {
      Note(error.what(), true);
    }
    return fault_.text.empty() ? 1 : 0;
  }

  void Take(const Shown& shown) {
    if (shown.is_progressive == 0) throw std::runtime_error("its frames are interlaced");
    Processing processing{};
    processing.is_progressive = 1;
    processing.stream = stream_;
    uint64_t data = 0;
    uint32_t pitch = 0;
    // All frames are mapped, since their status is known only then; damage in one is in those that follow.
    Require(Nvcuvid().MapVideoFrame64(owner_.decoder_, shown.index, &data, &pitch, &processing),
            "cuvidMapVideoFrame64");
    try {
      if (StatusOf(shown.index) != kSuccess) throw Damage("a frame is damaged");
      seen_.insert(shown.timestamp);
      const auto wanted = std::lower_bound(stamps_.begin(), stamps_.end(), shown.timestamp);
      if (wanted != stamps_.end() && *wanted == shown.timestamp) {
        Copy(reinterpret_cast<const uint8_t*>(data), pitch, static_cast<size_t>(wanted - stamps_.begin()));
      }
    } catch (...) {
      Nvcuvid().UnmapVideoFrame64(owner_.decoder_, data);
      throw;
    }
    // The surface is written next by work on the same stream.
    Require(Nvcuvid().UnmapVideoFrame64(owner_.decoder_, data), "cuvidUnmapVideoFrame64");
  }

  int StatusOf(int index) const {
    PictureStatus status{};
    for (int polls = 0; polls < kMostPolls; ++polls) {
      Require(Nvcuvid().GetDecodeStatus(owner_.decoder_, index, &status), "cuvidGetDecodeStatus");
      if (status.status != kInProgress) break;
      usleep(1000);
    }
    return status.status;
  }

  void Copy(const uint8_t* surface, uint32_t pitch, size_t place) const {
    const auto width = static_cast<size_t>(clip_.stored_width), height = static_cast<size_t>(clip_.stored_height);
    uint8_t* const to = frames_ + place * (width * height + width * height / 2);
    const uint8_t* const luma = surface + static_cast<size_t>(top_) * pitch + left_;
    const uint8_t* const chroma = surface + (owner_.height_ + static_cast<size_t>(top_) / 2) * pitch + left_;
    Check(cudaMemcpy2DAsync(to, width, luma, pitch, width, height, cudaMemcpyDeviceToDevice, stream_),
          "cudaMemcpy2DAsync");
    Check(cudaMemcpy2DAsync(to + width * height, width, chroma, pitch, width, height / 2, cudaMemcpyDeviceToDevice,
                            stream_),
          "cudaMemcpy2DAsync");
  }

  EngineDecoder& owner_;
  const PackedClip& clip_;
  const std::vector<int64_t>& stamps_;
  uint8_t* const frames_;
  const cudaStream_t stream_;
  Parser parser_ = nullptr;
  int64_t key_stamp_ = 0;
  int left_ = 0, top_ = 0;
  std::unordered_set<int64_t> seen_;
  ClipFault fault_;
};

ClipFault EngineDecoder::Decode(const PackedClip& clip, const std::vector<int64_t>& stamps, uint8_t* frames,
                                cudaStream_t stream) {
  for (size_t first = 0; first < clip.packets.size();) {
    size_t end = first + 1;
    while (end < clip.packets.size() && !clip.packets[end].begins) ++end;
    ClipFault fault = Run(*this, clip, stamps, frames, stream).Decode(first, end);
    if (!fault.text.empty()) {
      Close();  // what else it may have kept is not known
      return fault;
    }
    first = end;
  }
  return {};
}

int EngineDecoder::Fit(const VideoFormat& format) {
  const uint32_t width = format.coded_width, height = format.coded_height + format.coded_height % 2;
  const uint32_t extent = std::max(width, height);
  const int surfaces = format.least_surfaces + kDelay;
  if (decoder_ == nullptr || codec_ != format.codec || extent > most_extent_ || surfaces > surfaces_) {
    Close();
    CreateInfo info{};
    info.width = info.target_width = width;
    info.height = info.target_height = height;
    most_extent_ = (extent + kExtentStep - 1) / kExtentStep * kExtentStep;
    const Caps caps = CapsOf(static_cast<Codec>(format.codec));
    info.max_width = std::min(most_extent_, caps.max_width);
    info.max_height = std::min(most_extent_, caps.max_height);
    info.surfaces = static_cast<uint64_t>(surfaces);
    info.codec = format.codec;
    info.chroma = k420;
    info.flags = kPreferEngine;
    info.format = kNv12;
    info.deinterlacing = kWeave;
    info.output_surfaces = 2;
    info.shown = AreaOf(width, height);
    Require(Nvcuvid().CreateDecoder(&decoder_, &info), "cuvidCreateDecoder");
    codec_ = format.codec;
    surfaces_ = surfaces;
  } else if (width != width_ || height != height_) {
    ReconfigureInfo info{};
    info.width = info.target_width = width;
    info.height = info.target_height = height;
    info.surfaces = static_cast<uint32_t>(surfaces_);
    info.shown = AreaOf(width, height);
    Require(Nvcuvid().ReconfigureDecoder(decoder_, &info), "cuvidReconfigureDecoder");
  }
  width_ = width;
  height_ = height;
  return surfaces_;
}

void EngineDecoder::Close() noexcept {
  if (decoder_ != nullptr) Nvcuvid().DestroyDecoder(decoder_);
  decoder_ = nullptr;
}

}  // namespace jaxdali::gpu
