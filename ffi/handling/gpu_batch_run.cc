#include "handling/gpu_batch_run.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/shared_work.h"
#include "engine/engine.h"
#include "gpu_decoding/decode_route.h"
#include "gpu_decoding/host_pool.h"
#include "handling/gpu_ahead_run.h"
#include "handling/row_failures.h"

namespace jaxdali::gpu {
namespace {

using cpu::EncodedBytes;
using cpu::RowResult;

// Limit on a group's device memory; a larger image is processed alone.
constexpr size_t kGroupBytes = size_t{256} << 20;

// How many images a decoder gets at once. nvJPEG's JPEG engine keeps its pipeline full with few, and the next group is
// decoded while the previous one is resized. nvJPEG's kernels need many, and so do ours, which need a megabyte per
// image.
size_t GroupRows(Decoder decoder) {
  switch (decoder) {
    case Decoder::kGpu:
      return 1024;
    case Decoder::kCuda:
      return 256;
    default:
      return 64;
  }
}

// Indices of rows.
using Group = std::vector<int64_t>;

struct Work {
  Row row;
  DecodeRoute route = DecodeRoute::kNobody;
  RowResult result;
  jpeg::Header header;
};

bool IsGood(const RowResult& result) { return result.status == Status::kOk && !result.out_of_memory; }

class Run {
 public:
  Run(const CallContext& context, const EncodedBytes& encoded, const int32_t* rows, int64_t count,
      PixelReceiver& receiver, DecodeStream& decode_stream)
      : context_(context),
        settings_(decode_stream.settings()),
        encoded_(encoded),
        receiver_(receiver),
        decode_stream_(decode_stream),
        work_(count) {
    for (int64_t index = 0; index < count; ++index) Examine(index, rows + index * kRowFields);
  }

  // Queues everything and waits for it.
  void Decode(int32_t* status) {
    decode_stream_.Restart();
    std::vector<Group> groups = Groups();
    if (!groups.empty()) {
      // While the first group is decoded, the host inspects the files of the others.
      const Group first = groups.front(), others = Joined(groups.begin() + 1, groups.end());
      Share(static_cast<int64_t>(first.size()), [&](int64_t item) noexcept { Scan(first[item]); });
      DecodeBeside({first}, static_cast<int64_t>(others.size()), [&](int64_t item) noexcept { Scan(others[item]); });
      groups.erase(groups.begin());
    }
    RunTogether(groups, NextRound());
    // What remains: rows for the host that exceed one round, and what nvJPEG refused.
    for (Group round; !(round = NextRound()).empty();) {
      decode_stream_.Synchronize();  // the last round is being copied
      RunTogether({}, round);
    }
    auto* const statuses = reinterpret_cast<int32_t*>(decode_stream_.statuses.Reserve(work_.size() * sizeof(int32_t)));
    for (size_t index = 0; index < work_.size(); ++index) {
      statuses[index] = static_cast<int32_t>(work_[index].result.status);
      if (!IsGood(work_[index].result)) receiver_.Clear(static_cast<int64_t>(index), decode_stream_.stream());
    }
    Check(cudaMemcpyAsync(status, statuses, work_.size() * sizeof(int32_t), cudaMemcpyHostToDevice,
                          decode_stream_.stream()),
          "cudaMemcpyAsync");
    decode_stream_.Synchronize();
  }

  void Report(FirstFailure* failure, FirstFailure* exhaustion) {
    for (size_t index = 0; index < work_.size(); ++index) {
      RowResult& result = work_[index].result;
      if (IsGood(result)) continue;
      (result.out_of_memory ? exhaustion : failure)->Note(static_cast<int64_t>(index), std::move(result));
    }
  }

 private:
  template <typename Item>
  void Share(int64_t count, Item item) {
    cpu::RunShared(HostPool::Get(), count, context_.threads, std::move(item), context_.affinity);
  }

  // Checks what a row says without reading its file.
  void Examine(int64_t index, const int32_t* fields) {
    Work& work = work_[index];
    work.row = LoadRow(fields);
    work.result = CheckRow(work.row, encoded_);
    if (work.result.status == Status::kOk) work.result = receiver_.Examine(index, work.row);
    if (work.result.status != Status::kOk) return;
    const StoredPixels takes = receiver_.Takes();
    if (IsRaw(work.row)) {
      work.result = cpu::CheckRaw(work.row);
      if (work.result.status != Status::kOk) return;
      work.route = takes == StoredPixels::kRgb && IsRgb(work.row) ? DecodeRoute::kCopy : DecodeRoute::kHost;
    } else {
      const bool is_hosts = takes == StoredPixels::kOther || settings_.decoder == Decoder::kCpu;
      work.route = is_hosts ? DecodeRoute::kHost : DecodeRoute::kUnknown;
    }
  }

  void Scan(int64_t index) noexcept {
    Work& work = work_[index];
    if (work.route != DecodeRoute::kUnknown) return;
    work.route = ChooseDecodeRoute(work.row, encoded_.data + work.row.offset_bytes, settings_, &work.header);
  }

  // Returns the rows whose stored pixels can be made on the device, in groups.
  std::vector<Group> Groups() const {
    std::vector<Group> groups;
    size_t bytes = 0;
    for (size_t index = 0; index < work_.size(); ++index) {
      if (work_[index].route != DecodeRoute::kUnknown && work_[index].route != DecodeRoute::kCopy) continue;
      const size_t size = settings_.BytesOf(work_[index].row);
      if (groups.empty() || groups.back().size() == GroupRows(settings_.decoder) || bytes + size > kGroupBytes) {
        groups.emplace_back();
        bytes = 0;
      }
      bytes += size;
      groups.back().push_back(static_cast<int64_t>(index));
    }
    return groups;
  }

  static Group Joined(std::vector<Group>::const_iterator first, std::vector<Group>::const_iterator last) {
    Group joined;
    for (; first != last; ++first) joined.insert(joined.end(), first->begin(), first->end());
    return joined;
  }

  // Returns rows that the host makes, as many as fit into one round.
  Group NextRound() const {
    Group round;
    size_t bytes = 0;
    for (size_t index = 0; index < work_.size(); ++index) {
      if (work_[index].route != DecodeRoute::kHost) continue;
      bytes += receiver_.StagedBytes(work_[index].row);
      if (!round.empty() && bytes > kRoundBytes) break;
      round.push_back(static_cast<int64_t>(index));
    }
    return round;
  }

  // Decodes groups on the device while the host runs items.
  template <typename Item>
  void DecodeBeside(const std::vector<Group>& groups, int64_t count, Item item) {
    std::exception_ptr error;
    Share(1 + count, [&](int64_t number) noexcept {
      if (number == 0) {
        error = DecodeGroups(groups);
      } else {
        item(number - 1);
      }
    });
    if (error) std::rethrow_exception(error);
  }

  // Decodes groups on the device while the host makes a round.
  void RunTogether(const std::vector<Group>& groups, const Group& round) {
    std::vector<size_t> places;
    size_t size = 0;
    for (const int64_t index : round) {
      places.push_back(size);
      size += receiver_.StagedBytes(work_[index].row);
    }
    uint8_t* const staging = decode_stream_.staging.Reserve(size);
    DecodeBeside(groups, static_cast<int64_t>(round.size()), [&](int64_t item) noexcept {
      Work& work = work_[round[item]];
      work.result = receiver_.MakeOnHost(round[item], work.row, staging + places[item]);
    });
    for (size_t item = 0; item < round.size(); ++item) {
      Work& work = work_[round[item]];
      work.route = DecodeRoute::kNobody;
      if (IsGood(work.result)) receiver_.Upload(round[item], work.row, staging + places[item], decode_stream_.stream());
    }
  }

  bool IsMadeThere(int64_t index) const {
    return work_[index].route == DecodeRoute::kDevice || work_[index].route == DecodeRoute::kCopy;
  }

  // May run on any thread; returns what was thrown.
  std::exception_ptr DecodeGroups(const std::vector<Group>& groups) noexcept {
    try {
      OnDevice current(context_.device);
      for (const Group& group : groups) DecodeGroup(group);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  void DecodeGroup(Group group) {
    group.erase(std::remove_if(group.begin(), group.end(), [this](int64_t index) { return !IsMadeThere(index); }),
                group.end());
    std::vector<Spot> spots;
    std::vector<size_t> offsets;
    size_t size = 0;
    for (const int64_t index : group) {
      const Row& row = work_[index].row;
      spots.push_back(receiver_.Place(index, row));
      offsets.push_back(size);
      if (spots.back().pixels == nullptr) size += (settings_.BytesOf(row) + 255) / 256 * 256;
    }
    uint8_t* const memory = size == 0 ? nullptr : decode_stream_.Pixels(size);
    std::vector<Picture> pictures;
    std::vector<int64_t> decoded;
    for (size_t item = 0; item < group.size(); ++item) {
      const Row& row = work_[group[item]].row;
      const uint8_t* const bytes = encoded_.data + row.offset_bytes;
      Spot& spot = spots[item];
      const auto dense = static_cast<size_t>(settings_.StrideOf(row));
      if (spot.pixels == nullptr) spot = {memory + offsets[item], dense};
      if (work_[group[item]].route == DecodeRoute::kDevice) {
        pictures.push_back(
            {bytes, static_cast<size_t>(row.size_bytes), spot, encoded_.data, &work_[group[item]].header});
        decoded.push_back(group[item]);
      } else {
        Check(cudaMemcpy2DAsync(spot.pixels, spot.pitch, bytes, dense, dense, row.height, cudaMemcpyHostToDevice,
                                decode_stream_.stream()),
              "cudaMemcpy2DAsync");
      }
    }
    if (!pictures.empty()) {
      for (const size_t refused : decode_stream_.Decode(pictures)) {
        work_[decoded[refused]].route = DecodeRoute::kHost;
      }
    }
    std::vector<Arrival> arrivals;
    for (size_t item = 0; item < group.size(); ++item) {
      const Work& work = work_[group[item]];
      const bool on_the_way = size > 0 && spots[item].pixels == memory + offsets[item];
      if (on_the_way && work.route != DecodeRoute::kHost)
        arrivals.push_back({group[item], &work.row, spots[item].pixels});
    }
    if (!arrivals.empty()) receiver_.Finish(arrivals, decode_stream_.stream());
  }

  const CallContext& context_;
  const DecodeSettings settings_;
  const EncodedBytes& encoded_;
  PixelReceiver& receiver_;
  DecodeStream& decode_stream_;
  std::vector<Work> work_;
};

// Decodes within the call, if nothing was decoded ahead.
ffi::Error RunHere(const CallContext& context, const FileOperands& files, PixelReceiver& receiver) {
  const int64_t count = files.count;
  DecodeStreamLoan decode_stream(context.device, context.Settings(receiver));
  const int32_t* fields = files.rows;
  // Rows on the host may be the result of work on this stream as well, and the decode streams do not wait for it. Also,
  // the results' memory is free only after this.
  DoAndAwait(context.stream, [&] {
    if (IsOnDevice(fields)) {
      const size_t size = static_cast<size_t>(count * kRowFields) * sizeof(int32_t);
      auto* const copy = reinterpret_cast<int32_t*>(decode_stream->rows.Reserve(size));
      Check(cudaMemcpyAsync(copy, fields, size, cudaMemcpyDeviceToHost, context.stream), "cudaMemcpyAsync");
      fields = copy;
    }
    receiver.Prepare(*decode_stream, context.stream);
  });
  receiver.HavePrepared();
  Run run(context, files.encoded, fields, count, receiver, *decode_stream);
  run.Decode(files.statuses);
  FirstFailure failure, exhaustion;
  run.Report(&failure, &exhaustion);
  return JudgeRows(context.target, context.raise_on_error, count, context.device, failure, exhaustion);
}

ffi::Error RunChecked(const CallContext& context, const FileOperands& files, PixelReceiver& receiver) {
  if (files.count == 0) return ffi::Error::Success();
  OnDevice current(context.device);
  if (IsOnDevice(files.encoded.data)) {
    return InvalidArgument(
        context.target,
        "bytes is in the GPU's memory, but files are read by the host: keep EncodedBatch.bytes in pinned_host memory "
        "(EncodedBatch.from_encoded and the pipelines do), close over it instead of scanning over it, and do not "
        "transfer it inside jit");
  }
  Engine& engine = Engine::Of(context.device);
  const auto look_up = [&] { return RunAhead(context, files, receiver); };
  if (std::optional<ffi::Error> done = DoWithRoom(engine, look_up)) return *std::move(done);
  ffi::Error error = DoWithRoom(engine, [&] { return RunHere(context, files, receiver); });
  engine.counts().missed += static_cast<uint64_t>(files.count);
  return error;
}

}  // namespace

ffi::Error RunBatch(const CallContext& context, const FileOperands& files, PixelReceiver& receiver) noexcept {
  // No exception may reach XLA.
  try {
    return RunChecked(context, files, receiver);
  } catch (const InvalidOperands& error) {
    return InvalidArgument(context.target, error.what());
  } catch (const OutOfDeviceMemory& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, std::string(context.target) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(std::string(context.target) + ": " + error.what());
  }
}

}  // namespace jaxdali::gpu
