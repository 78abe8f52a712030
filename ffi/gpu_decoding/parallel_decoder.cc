#include "gpu_decoding/parallel_decoder.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "jpeg/kernels.h"
#include "jpeg/prepare.h"

namespace jaxdali::gpu {
namespace {

// Limit on the bytes of entropy-coded data, and of what is noted of their blocks, that are on the device together;
// scratch memory takes up to three times as much, and that of a window (jpeg::Window). A larger file is decoded alone.
constexpr uint64_t kPartBytes = uint64_t{128} << 20;
// Files in the same memory that are no farther apart than this, the size of a header, are copied together. So are those
// that are no farther apart than the second one, as long as what lies between is at most half as large as the files: to
// begin a copy takes the device as long as 100 KiB, and the host 6 us.
constexpr uint64_t kSmallGap = 4096, kMostGap = uint64_t{1} << 16;

uint64_t BytesOf(const Picture& picture) {
  return jpeg::NoteBytes(*picture.header) + jpeg::ScanBytes(*picture.header, picture.size);
}

// Reserves memory, an eighth more at most. If it has to be replaced, waits until queued work no longer uses the old
// memory.
template <typename Arena>
uint8_t* Grow(Arena& arena, size_t size, cudaStream_t stream) {
  if (size <= arena.capacity()) return arena.Reserve(size);
  Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  size_t step = size_t{1} << 17;
  while (step * 16 <= size) step *= 2;
  return arena.ReserveExactly((size + step - 1) / step * step);
}

}  // namespace

ParallelDecoder::ParallelDecoder(const DecodeSettings& settings) : settings_(settings) {
  try {
    // Threads that wait for the event sleep.
    Check(cudaEventCreateWithFlags(&judged_, cudaEventDisableTiming | cudaEventBlockingSync),
          "cudaEventCreateWithFlags");
    Check(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    Check(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    int lowest = 0, highest = 0;
    Check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    Check(cudaStreamCreateWithPriority(&beside_, cudaStreamNonBlocking, highest), "cudaStreamCreateWithPriority");
  } catch (...) {
    Destroy();
    throw;
  }
}

ParallelDecoder::~ParallelDecoder() { Destroy(); }

void ParallelDecoder::Destroy() {
  for (const cudaEvent_t event : {judged_, forked_, joined_}) {
    if (event != nullptr) cudaEventDestroy(event);
  }
  if (beside_ != nullptr) cudaStreamDestroy(beside_);
}

std::vector<size_t> ParallelDecoder::Decode(const std::vector<Picture>& pictures, cudaStream_t stream) {
  std::vector<size_t> refused;
  for (size_t first = 0; first < pictures.size();) {
    size_t last = first;
    for (uint64_t bytes = 0; last < pictures.size(); ++last) {
      bytes += BytesOf(pictures[last]);
      if (last > first && bytes > kPartBytes) break;
    }
    for (const size_t index : DecodePart(pictures.data() + first, last - first, stream)) {
      refused.push_back(first + index);
    }
    first = last;
  }
  return refused;
}

std::vector<size_t> ParallelDecoder::DecodePart(const Picture* pictures, size_t count, cudaStream_t stream) {
  const std::vector<jpeg::File> files = CopyScans(pictures, count, stream);
  std::vector<size_t> refused = jpeg::Prepare(files, &plan_);
  if (plan_.size() == 0) {
    Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return refused;
  }
  const int32_t* const verdicts = Queue(stream);
  Check(cudaEventSynchronize(judged_), "cudaEventSynchronize");
  std::vector<size_t> damaged;
  for (size_t index = 0, planned = 0, other = 0; index < count; ++index) {
    if (other < refused.size() && refused[other] == index) {
      ++other;
    } else if (verdicts[planned++] != static_cast<int32_t>(jpeg::Verdict::kDecoded)) {
      damaged.push_back(index);
    }
  }
  refused.insert(refused.end(), damaged.begin(), damaged.end());
  return refused;
}

std::vector<jpeg::File> ParallelDecoder::CopyScans(const Picture* pictures, size_t count, cudaStream_t stream) {
  // Bytes that are copied at once: where they come from, and their offset in the copy.
  struct Run {
    const uint8_t *base, *from, *end;
    uint64_t at;
  };
  // In the order of their addresses: processes that fill a slot together put their files between each other's.
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [pictures](size_t a, size_t b) { return std::less<>()(pictures[a].bytes, pictures[b].bytes); });
  std::vector<Run> runs;
  std::vector<jpeg::File> files(count);
  uint64_t used = 0, of_files = 0, of_gaps = 0;
  for (const size_t index : order) {
    const Picture& picture = pictures[index];
    const uint64_t bytes = jpeg::ScanBytes(*picture.header, picture.size);
    const uint8_t* const from = picture.bytes + picture.header->scan;
    of_files += bytes;
    const bool follows = !runs.empty() && runs.back().base == picture.base && from >= runs.back().end;
    const uint64_t gap = follows ? static_cast<uint64_t>(from - runs.back().end) : 0;
    const bool goes_on = gap <= kSmallGap || (gap <= kMostGap && of_gaps + gap <= of_files / 2);
    if (!follows || !goes_on) {
      runs.push_back({picture.base, from, from, used});
    } else if (gap > kSmallGap) {
      of_gaps += gap;
    }
    Run& run = runs.back();
    const uint64_t at = run.at + static_cast<uint64_t>(from - run.from);
    run.end = from + bytes;
    used = at + bytes;
    files[index] = {picture.header, at, bytes, {picture.target.pixels, picture.target.pitch}};
  }
  uint8_t* const to = Grow(scans_, used, stream);
  for (const Run& run : runs) {
    const auto size = static_cast<size_t>(run.end - run.from);
    Check(cudaMemcpyAsync(to + run.at, run.from, size, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
  }
  return files;
}

const int32_t* ParallelDecoder::Queue(cudaStream_t stream) {
  const jpeg::Scratch layout = plan_.MakeScratch();
  const size_t descriptor_bytes = plan_.DescriptorBytes();
  uint8_t* const scratch = Grow(scratch_, layout.bytes, stream);
  uint8_t* const descriptors = Grow(descriptors_, descriptor_bytes, stream);
  // `staging_` is free: its previous copy had finished when the verdicts arrived.
  uint8_t* const staging = staging_.Reserve(descriptor_bytes);
  jpeg::Batch batch = plan_.Write(staging, descriptors, scans_.Reserve(0), scratch);
  Check(cudaMemcpyAsync(descriptors, staging, descriptor_bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
  Check(cudaMemsetAsync(scratch, 0, layout.cleared_bytes, stream), "cudaMemsetAsync");
  Check(cudaMemsetAsync(scratch + layout.segment_of_lane, 0xFF, layout.lane_bytes, stream), "cudaMemsetAsync");
  const ReadingStreams streams = {stream, beside_, forked_, joined_};
  Check(FindBlocks(batch, streams), "reading JPEG files");
  const size_t verdict_bytes = plan_.size() * sizeof(int32_t);
  uint8_t* const verdicts = verdicts_.Reserve(verdict_bytes);
  for (size_t window = 0; window < plan_.windows().size(); ++window) {
    batch.window = plan_.windows()[window];
    Check(WriteCoefficients(batch, stream), "reading coefficients");
    if (window + 1 == plan_.windows().size()) {
      Check(AwaitScans(batch, streams), "cudaStreamWaitEvent");
      Check(cudaMemcpyAsync(verdicts, batch.verdicts, verdict_bytes, cudaMemcpyDeviceToHost, stream),
            "cudaMemcpyAsync");
      Check(cudaEventRecord(judged_, stream), "cudaEventRecord");
    }
    Check(MakePixels(batch, {settings_.fancy_upsampling, settings_.luma}, streams), "making pixels");
  }
  return reinterpret_cast<const int32_t*>(verdicts);
}

}  // namespace jaxdali::gpu
