#include "handling/gpu_ahead_run.h"

#include <cstring>
#include <exception>
#include <unordered_map>
#include <utility>

#include "engine/engine.h"
#include "gpu_decoding/memory.h"
#include "handling/row_failures.h"
#include "handling/statuses.h"

namespace jaxdali::gpu {
namespace {

using cpu::RowResult;
using Images = std::vector<const AheadImage*>;

// Returns the job's images that `fields` asks for, in its order; none if it also asks for others.
Images Match(const AheadJob& job, const std::vector<int32_t>& fields) {
  std::unordered_map<int32_t, size_t> by_offset;
  for (size_t index = 0; index < job.images.size(); ++index) {
    by_offset.emplace(job.fields[index * kRowFields + kOffset], index);
  }
  Images images;
  for (size_t row = 0; row < fields.size(); row += kRowFields) {
    const auto found = by_offset.find(fields[row + kOffset]);
    if (found == by_offset.end()) return {};
    const int32_t* const known = &job.fields[found->second * kRowFields];
    if (std::memcmp(known, &fields[row], kRowFields * sizeof(int32_t)) != 0) return {};
    images.push_back(&job.images[found->second]);
  }
  return images;
}

Images Find(const CallContext& context, PinnedJob& job, bool known, const FileOperands& files) {
  if (known) {
    Images images;
    images.reserve(job->images.size());
    for (const AheadImage& image : job->images) images.push_back(&image);
    return images;
  }
  ++job.engine().counts().read_back;
  std::vector<int32_t> fields(static_cast<size_t>(files.count * kRowFields));
  Check(cudaMemcpyAsync(fields.data(), files.rows, fields.size() * sizeof(int32_t), cudaMemcpyDefault, context.stream),
        "cudaMemcpyAsync");
  Check(cudaStreamSynchronize(context.stream), "cudaStreamSynchronize");
  return Match(*job, fields);
}

// Holds while a stream may read a job's images. The destructor tells the engine until when, however it is reached.
class Reading {
 public:
  Reading(const PinnedJob& job, cudaStream_t stream) : job_(job), stream_(stream) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    try {
      job_.engine().NoteReader(*job_, stream_);
    } catch (const std::exception&) {
      // The engine could not be told, so the reading has to end now.
      if (cudaStreamSynchronize(stream_) != cudaSuccess) AwaitDevice();
    }
  }

 private:
  const PinnedJob& job_;
  cudaStream_t stream_;
};

// Queues a call on images that are on the device.
ffi::Error Queue(const CallContext& context, PinnedJob& job, const Images& images, bool known, int32_t* status,
                 PixelReceiver& receiver) {
  std::optional<DecodeStreamLoan> decode_stream;
  // A caller that made the rows known asks for late failures itself; other callers learn of them here.
  if (context.raise_on_error && receiver.ReadsOperands() && !known) {
    decode_stream.emplace(context.device, context.Settings(receiver));
    DoAndAwait(context.stream, [&] { receiver.Prepare(**decode_stream, context.stream); });
    receiver.HavePrepared();
  } else {
    receiver.PrepareAhead(status, known ? job->late : nullptr, context.stream);
  }
  std::vector<uint8_t> statuses;
  std::vector<Arrival> arrivals;
  std::vector<int64_t> failed;
  statuses.reserve(images.size());
  arrivals.reserve(images.size());
  FirstFailure failure, exhaustion;
  for (size_t index = 0; index < images.size(); ++index) {
    const AheadImage& image = *images[index];
    const auto row = static_cast<int64_t>(index);
    RowResult result = image.result.status == Status::kOk ? receiver.Examine(row, image.row) : image.result;
    statuses.push_back(static_cast<uint8_t>(result.status));
    if (result.status == Status::kOk) {
      arrivals.push_back({row, &image.row, job->block->data() + image.offset});
    } else {
      failed.push_back(row);
      failure.Note(row, std::move(result));
    }
  }
  Check(WriteStatuses(statuses, status, context.stream), "writing statuses");
  if (!arrivals.empty()) {
    const Reading reading(job, context.stream);
    receiver.Finish(arrivals, context.stream);
  }
  for (const int64_t row : failed) receiver.Clear(row, context.stream);
  job.engine().counts().used += images.size();
  ++job->times_used;
  return JudgeRows(context.target, context.raise_on_error, static_cast<int64_t>(images.size()), context.device, failure,
                   exhaustion);
}

}  // namespace

std::optional<ffi::Error> RunAhead(const CallContext& context, const FileOperands& files, PixelReceiver& receiver) {
  // No other form is decoded ahead.
  if (receiver.Takes() == StoredPixels::kOther) return std::nullopt;
  Engine& engine = Engine::Of(context.device);
  Engine::Found found = engine.FindAndPin(files.encoded.data, context.Settings(receiver));
  PinnedJob job(engine, std::move(found.job));
  if (!job) return std::nullopt;
  const bool known = files.count == job->count() && found.known_rows == files.rows;
  const Images images = Find(context, job, known, files);
  if (images.empty()) return std::nullopt;
  if (!found.is_decoded) {
    engine.Await(*job, -1);
    if (!engine.IsDecoded(*job)) return std::nullopt;
  }
  return Queue(context, job, images, known, files.statuses, receiver);
}

}  // namespace jaxdali::gpu
