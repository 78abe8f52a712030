#include "gpu_video/clips_job.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "gpu_decoding/memory.h"
#include "gpu_video/video_engine.h"

namespace jaxdali::gpu {
namespace {

constexpr size_t kAligned = 256;

size_t RoundedUp(size_t bytes) { return (bytes + kAligned - 1) / kAligned * kAligned; }

size_t FrameBytes(const PackedClip& clip) {
  return static_cast<size_t>(clip.pixels != nullptr ? clip.height * clip.width * 3
                                                    : clip.stored_height * clip.stored_width * 3 / 2);
}

ClipLook LookOf(const PackedClip& clip) {
  ClipLook look{clip.frames, clip.height, clip.width, clip.stored_height, clip.stored_width};
  if (clip.pixels != nullptr) return look;
  look.walk = MakeWalk(clip.stored_height, clip.stored_width, clip.orientation, 1);
  look.at_left = clip.at_left ? 1 : 0;
  std::memcpy(&look.luma, clip.matrix, sizeof(clip.matrix));
  std::copy_n(clip.fill, 3, look.fill);
  return look;
}

std::vector<int64_t> Distinct(std::vector<int64_t> stamps) {
  stamps.erase(std::remove(stamps.begin(), stamps.end(), kNoFrame), stamps.end());
  std::sort(stamps.begin(), stamps.end());
  stamps.erase(std::unique(stamps.begin(), stamps.end()), stamps.end());
  return stamps;
}

// Appends the sources of a clip's frames, of which decoded ones begin at `data`.
void AppendSources(const PackedClip& clip, const std::vector<int64_t>& stamps, const uint8_t* data,
                   std::vector<FrameSource>* sources) {
  const size_t bytes = FrameBytes(clip);
  for (int64_t k = 0; k < clip.frames; ++k) {
    if (clip.pixels != nullptr) {
      sources->push_back({data + static_cast<size_t>(k) * bytes, FrameKind::kRgb});
      continue;
    }
    const int64_t stamp = clip.stamps[static_cast<size_t>(k)];
    if (stamp == kNoFrame) {
      sources->push_back({nullptr, FrameKind::kFill});
    } else {
      const auto place = std::lower_bound(stamps.begin(), stamps.end(), stamp) - stamps.begin();
      sources->push_back({data + static_cast<size_t>(place) * bytes, FrameKind::kNv12});
    }
  }
}

}  // namespace

ClipsJob::ClipsJob(VideoEngine& engine, HeldBytes held, const std::vector<uint64_t>& offsets,
                   const std::vector<uint64_t>& sizes, const ClipsShape& shape)
    : engine_(engine), held_(std::move(held)), shape_(shape), faults_(offsets.size()), left_(offsets.size()) {
  const auto [base, capacity] = held_->bytes();
  size_t bytes = 0;
  for (size_t k = 0; k < offsets.size(); ++k) {
    const auto whole = static_cast<uint64_t>(capacity);
    if (offsets[k] > whole || sizes[k] > whole - offsets[k]) throw std::runtime_error("a clip is not in its slot");
    const PackedClip& clip = clips_.emplace_back(UnpackClip(base + offsets[k], sizes[k]));
    if (clip.frames > shape.frames || clip.height > shape.height || clip.width > shape.width) {
      throw std::runtime_error("a clip is larger than the result");
    }
    stamps_.push_back(Distinct(clip.stamps));
    places_.push_back(bytes);
    const size_t frames = clip.pixels != nullptr ? static_cast<size_t>(clip.frames) : stamps_.back().size();
    bytes += RoundedUp(frames * FrameBytes(clip));
  }
  const size_t looks_place = bytes, looks_bytes = RoundedUp(clips_.size() * sizeof(ClipLook));
  const size_t sources_place = looks_place + looks_bytes;
  const auto frames = static_cast<size_t>(shape.frames) * clips_.size();
  block_ = engine_.Take(sources_place + frames * sizeof(FrameSource));
  std::vector<ClipLook> looks;
  std::vector<FrameSource> sources;
  for (size_t k = 0; k < clips_.size(); ++k) {
    looks.push_back(LookOf(clips_[k]));
    AppendSources(clips_[k], stamps_[k], block_.data + places_[k], &sources);
    sources.resize((k + 1) * static_cast<size_t>(shape.frames));  // frames that a shorter clip lacks
  }
  shown_ = {reinterpret_cast<const ClipLook*>(block_.data + looks_place),
            reinterpret_cast<const FrameSource*>(block_.data + sources_place),
            static_cast<int64_t>(clips_.size()),
            shape.frames,
            shape.height,
            shape.width};
  try {
    engine_.Upload(block_.data + looks_place, looks.data(), looks.size() * sizeof(ClipLook));
    engine_.Upload(block_.data + sources_place, sources.data(), sources.size() * sizeof(FrameSource));
  } catch (...) {
    engine_.GiveBack(block_);
    throw;
  }
}

ClipsJob::~ClipsJob() {
  engine_.GiveBack(block_);
  for (const ClipBlock& block : supplied_) engine_.GiveBack(block);
}

void ClipsJob::Decode(size_t index, EngineDecoder& decoder, cudaStream_t stream) noexcept {
  ClipFault fault;
  try {
    const PackedClip& clip = clips_[index];
    uint8_t* const to = block_.data + places_[index];
    DoAndAwait(stream, [&] {
      if (clip.pixels != nullptr) {
        const size_t bytes = static_cast<size_t>(clip.frames) * FrameBytes(clip);
        Check(cudaMemcpyAsync(to, clip.pixels, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
      } else {
        fault = decoder.Decode(clip, stamps_[index], to, stream);
      }
    });
  } catch (const std::exception& error) {
    fault = {error.what(), true};
  }
  Settle(index, std::move(fault));
}

void ClipsJob::GiveUp(size_t index, const std::string& why) { Settle(index, {why, true}); }

void ClipsJob::Settle(size_t index, ClipFault fault) {
  std::optional<HeldBytes> done;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    faults_[index] = std::move(fault);
    if (--left_ == 0) done.swap(held_);
  }
  settled_.notify_all();
  // `done` may need the GIL, which somebody who waits for the lock may have.
}

void ClipsJob::Supply(size_t index, const uint8_t* pixels, size_t bytes) {
  const PackedClip& clip = clips_.at(index);
  const auto frame_bytes = static_cast<size_t>(clip.height * clip.width * 3);
  if (bytes != static_cast<size_t>(clip.frames) * frame_bytes) throw std::runtime_error("a clip has other extents");
  supplied_.push_back(engine_.Take(bytes));
  const uint8_t* const data = supplied_.back().data;
  engine_.Upload(supplied_.back().data, pixels, bytes);
  std::vector<FrameSource> sources;
  for (int64_t k = 0; k < clip.frames; ++k) {
    sources.push_back({data + static_cast<size_t>(k) * frame_bytes, FrameKind::kRgb});
  }
  auto* const all = const_cast<FrameSource*>(shown_.sources);
  engine_.Upload(all + static_cast<int64_t>(index) * shape_.frames, sources.data(),
                 sources.size() * sizeof(FrameSource));
  const std::lock_guard<std::mutex> lock(mutex_);
  faults_[index] = {};
}

bool ClipsJob::Await(double timeout_s) {
  std::unique_lock<std::mutex> lock(mutex_);
  return settled_.wait_for(lock, std::chrono::duration<double>(timeout_s), [this] { return left_ == 0; });
}

std::vector<std::pair<size_t, ClipFault>> ClipsJob::Faults() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::pair<size_t, ClipFault>> found;
  for (size_t k = 0; k < faults_.size(); ++k) {
    if (!faults_[k].text.empty()) found.emplace_back(k, faults_[k]);
  }
  return found;
}

cudaError_t ClipsJob::Show(uint8_t* rgb, cudaStream_t stream) {
  cudaError_t result = QueueFramesToRgb(shown_, rgb, stream);
  const auto note = [&](const ClipBlock& block) {
    const cudaError_t noted = cudaEventRecord(block.read, stream);
    if (result == cudaSuccess) result = noted;
  };
  note(block_);
  for (const ClipBlock& block : supplied_) note(block);
  return result;
}

}  // namespace jaxdali::gpu
