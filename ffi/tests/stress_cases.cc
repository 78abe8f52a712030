#include "tests/stress_cases.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "engine/engine.h"
#include "engine/hardware_queues.h"
#include "engine/job_handle.h"
#include "gpu_decoding/decode_stream.h"
#include "tests/host_cuda.h"
#include "tests/stress_slots.h"

namespace jaxdali::gpu {
namespace {

constexpr size_t kBudget = size_t{64} << 20;
constexpr double kLong = 10;  // seconds
const DecodeSettings kSettings = {Decoder::kGpu, true};

// A slot and the job for its images.
struct Batch {
  explicit Batch(size_t images, DecodeSettings settings = kSettings) {
    std::mt19937 draws(3);
    Fill(slot, images, draws);
    job = engine.Submit(Hold(slot), slot.fields.data(), static_cast<int64_t>(images), settings);
  }
  ~Batch() {
    engine.Release(*job);
    while (slot.holds != 0) usleep(100);
  }
  // Submits another job for the same files.
  JobHandle Again() {
    const auto count = static_cast<int64_t>(slot.expected.size());
    return {engine, engine.Submit(Hold(slot), slot.fields.data(), count, job->settings)};
  }
  // Waits for the job; returns whether it was decoded, rather than given up.
  bool Decodes() {
    Demand(engine.Await(*job, kLong), "a job is never settled");
    if (!engine.IsDecoded(*job)) return false;
    Inspect(*job, slot);
    return true;
  }

  Engine& engine = Engine::Of(0);
  Slot slot;
  JobPointer job;
};

// nvJPEG refuses a group and still writes to it: its images are decoded one by one only when that is over.
void RefusedGroup() {
  host_cuda_nvjpeg->refusals = 1;
  Batch batch(40);
  Demand(batch.Decodes(), "a group that was refused is not decoded");
  usleep(20000);
  Inspect(*batch.job, batch.slot);
}

// nvJPEG has no memory for a group and still writes to it: its block is returned only when that is over.
void FailedGroup() {
  host_cuda_nvjpeg->failures = 1;
  {
    Batch failed(40);
    failed.Decodes();
  }
  Batch next(40);
  Demand(next.Decodes(), "nothing is decoded after a failure");
  usleep(20000);
  Inspect(*next.job, next.slot);
}

// CUDA fails a thread that has a group on the device: nvJPEG's states are destroyed only when that is over.
void BrokenInFlight() {
  const DecodeSettings settings = {Decoder::kHybrid, true};
  host_cuda_records_left = 2;  // by nvJPEG's state, and by the group
  {
    Batch first(128, settings), second(128, settings);
    Demand(!second.Decodes() && !first.Decodes(), "CUDA was not broken");
    host_cuda_broken = false;
  }
  host_cuda_records_left = INT_MAX;
}

// A job that is released while it waits for memory is settled, for whoever still waits for it.
void ReleasedInQueue() {
  Engine& engine = Engine::Of(0);
  engine.SetBudget(kSlotBytes);
  Batch first(400);
  Demand(first.Decodes(), "a batch is not decoded");
  Batch second(400);  // there is no room for it
  engine.Release(*second.job);
  Demand(!second.Decodes(), "there was room for a batch");
}

// A job that nobody holds any more is not found, unless a notice is still to come.
void NobodyHasIt() {
  Engine& engine = Engine::Of(0);
  Batch batch(8);
  const uint8_t* const base = batch.slot.data.data();
  const auto is_found = [&] { return static_cast<bool>(PinnedJob(engine, engine.FindAndPin(base, kSettings).job)); };
  {
    const JobHandle handle(engine, batch.job);
  }
  Demand(!is_found(), "a job is found that nobody has");
  host::EndNotice notice = {nullptr, nullptr};
  {
    JobHandle first = batch.Again();
    JobHandle handle(std::move(first));
    notice = handle.Notice();
  }
  Demand(is_found(), "a job is not found before its notice is told");
  notice.tell(notice.context);
  Demand(!is_found(), "a job is found after its notice was told");
}

// A slot is used again, although nobody has released the job on its earlier contents.
void SlotUsedAgain() {
  Engine& engine = Engine::Of(0);
  Batch batch(8);
  Demand(batch.Decodes(), "a batch is not decoded");
  const JobHandle next = batch.Again();
  Demand(batch.job->released && !next.job().released, "a job is found whose slot was used again");
  const DecodeSettings other = {Decoder::kGpu, false};
  const JobHandle beside(engine, engine.Submit(Hold(batch.slot), batch.slot.fields.data(), 8, other));
  std::vector<int32_t> column = batch.slot.fields;
  for (size_t row = kOffset; row < column.size(); row += kRowFields) column[row] += 4096;
  const JobHandle beyond(engine, engine.Submit(Hold(batch.slot), column.data(), 8, kSettings));
  Demand(!next.job().released, "a job was released for one with other settings or other bytes");
}

// If there is no room for more, a decode stream takes only what it must have. If there is no room for that either, it
// says how much that is.
void CrampedDecodeStream() {
  constexpr size_t kSize = size_t{72} << 20;
  DecodeStream decode_stream({Decoder::kHardware, true});
  host_cuda_device_bytes = size_t{100} << 20;
  const uint8_t* const first = decode_stream.Pixels(kSize);
  Demand(first != nullptr && decode_stream.Pixels(kSize) == first, "a decode stream allocates again and again");
  host_cuda_device_bytes = 0;
  std::string said;
  try {
    decode_stream.Pixels(2 * kSize);
  } catch (const OutOfDeviceMemory& error) {
    said = error.what();
  }
  Demand(said.find("allocating 150994944 bytes of device memory") == 0, "it is not said what was to be allocated");
  host_cuda_device_bytes = SIZE_MAX;
  decode_stream.Pixels(kSize);
  Demand(decode_stream.Pixels(kSize) != decode_stream.Pixels(kSize), "a decode stream stays cramped");
}

// Waits until a batch is decoded ahead again. The engine may try only now and then.
void DecodeAtLast() {
  for (int wait = 0;; ++wait) {
    Batch batch(40);
    if (batch.Decodes()) return;
    Demand(wait < 500, "nothing is decoded when there is memory again");
    usleep(10000);
  }
}

void ShortOfPinned() {
  host_cuda_has_pinned = false;
  {
    Batch batch(40), next(40);
    Demand(!batch.Decodes() && !next.Decodes(), "there was pinned memory");
  }
  host_cuda_has_pinned = true;
  DecodeAtLast();
}

void ShortOfDeviceMemory() {
  host_cuda_device_bytes = 0;
  {
    Batch batch(40), next(40);
    Demand(!batch.Decodes() && !next.Decodes(), "there was device memory");
  }
  host_cuda_device_bytes = SIZE_MAX;
  DecodeAtLast();
}

void ShortOfStreams() {
  host_cuda_has_streams = false;
  {
    Batch batch(40);
    Demand(!batch.Decodes(), "there were streams");
  }
  host_cuda_has_streams = true;
  Batch batch(40);
  Demand(batch.Decodes(), "nothing is decoded when there are streams again");
}

// If nvJPEG has no memory, it gets that of batches that are over.
void RoomForDecoder() {
  {
    Batch first(40), second(40);
    Demand(first.Decodes() && second.Decodes(), "a batch is not decoded");
  }
  host_cuda_nvjpeg->failures = 2;  // of the decoder that there is, and of a new one
  Batch batch(40);
  Demand(batch.Decodes() && batch.engine.use().growths > 0, "nothing was done to have memory");
}

// A decoder finds no memory for a group, but a new one does.
void NewDecoder() {
  Batch first(40);
  Demand(first.Decodes(), "a batch is not decoded");
  host_cuda_nvjpeg->failures = 1;
  Batch batch(40);
  Demand(batch.Decodes(), "no other decoder was tried");
}

// While this exists, slots are filled with files of one kind.
class OnlyFiles {
 public:
  explicit OnlyFiles(bool plain) : all_(files) {
    const auto other = [plain](const File& file) { return (file.expected < kAnyPixel) != plain; };
    files.erase(std::remove_if(files.begin(), files.end(), other), files.end());
  }
  ~OnlyFiles() { files = all_; }
  OnlyFiles(const OnlyFiles&) = delete;
  OnlyFiles& operator=(const OnlyFiles&) = delete;

 private:
  const std::vector<File> all_;
};

// Several threads decode a batch whose images are too large for one group.
void LargeImages() {
  const DecodeSettings settings = {Decoder::kCuda, true};
  const size_t usual = most_group_bytes.exchange(4096);
  hardware_queues = kManyQueues;
  host_walks_held = true;
  {
    const OnlyFiles progressive(false);
    Batch batch(40, settings);
    for (int wait = 0; host_walks_waiting != static_cast<int>(Crew(settings).threads); ++wait) {
      Demand(wait < 10000, "a batch of large images is one group");
      usleep(1000);
    }
    host_walks_held = false;
    Demand(batch.Decodes(), "a batch of several groups is not decoded");
  }
  most_group_bytes = usual;
  hardware_queues = kFewQueues;
}

// Files that are not in the order of their addresses, as several processes write them, are copied together all the
// same.
void ScatteredFiles() {
  const DecodeSettings settings = {Decoder::kCuda, true};
  constexpr size_t kCount = 400, kStep = 17;
  Demand(kCount > Crew(settings).group, "a batch is one group");
  const OnlyFiles plain(true);
  const int before = host_cuda_copies;
  Batch batch(kCount, settings);
  Demand(batch.Decodes(), "a batch is not decoded");
  const int ordered = host_cuda_copies - before;
  std::vector<int32_t> rows;
  std::vector<int> expected;
  for (size_t index = 0; index < kCount; ++index) {
    const size_t from = index * kStep % kCount;
    const auto row = batch.slot.fields.begin() + static_cast<std::ptrdiff_t>(from * kRowFields);
    rows.insert(rows.end(), row, row + kRowFields);
    expected.push_back(batch.slot.expected[from]);
  }
  batch.slot.expected = expected;
  const JobHandle scattered(batch.engine, batch.engine.Submit(Hold(batch.slot), rows.data(), kCount, settings));
  Demand(batch.engine.Await(scattered.job(), kLong), "a job is never settled");
  Inspect(scattered.job(), batch.slot);
  Demand(host_cuda_copies - before == 2 * ordered, "files in another order take more copies");
}

// Groups whose walks through progressive files do not end hold no others up.
void BesideWalks() {
  const DecodeSettings settings = {Decoder::kCuda, true};
  hardware_queues = kManyQueues;
  host_walks_held = true;
  std::vector<std::unique_ptr<Batch>> slow;
  const size_t others = Crew(settings).threads - 1;
  Demand(others > 2, "there are few threads");
  for (const OnlyFiles progressive(false); slow.size() < others;) {
    slow.push_back(std::make_unique<Batch>(40, settings));
    for (int wait = 0; host_walks_waiting != static_cast<int>(slow.size()); ++wait) {
      Demand(wait < 10000, "a group waits for the walks of others");
      usleep(1000);
    }
  }
  for (int times = 0; times < 3; ++times) {
    const OnlyFiles plain(true);
    Batch quick(40, settings);
    Demand(quick.Decodes(), "a group is not decoded beside others");
  }
  Engine& engine = Engine::Of(0);
  for (const auto& batch : slow) Demand(!engine.IsSettled(*batch->job), "a group is decoded before its walks end");
  host_walks_held = false;
  for (const auto& batch : slow) Demand(batch->Decodes(), "a slow group is not decoded");
  hardware_queues = kFewQueues;
}

// A batch for which all memory must be free at once, next to a crew that always has some and is never idle.
void BesideGreedy() {
  Engine& engine = Engine::Of(0);
  engine.SetBudget(size_t{12} << 20);
  std::atomic<bool> ends{false};
  const auto consume = [&ends] {
    const DecodeSettings settings = {Decoder::kHybrid, true};
    for (auto batch = std::make_unique<Batch>(400, settings); !ends;) {
      auto next = std::make_unique<Batch>(400, settings);
      batch->Decodes();
      batch = std::move(next);
    }
  };
  std::thread greedy[] = {std::thread(consume), std::thread(consume), std::thread(consume)};
  usleep(100000);
  {
    Batch batch(400);
    std::vector<int32_t> rows;
    for (int times = 0; times < 13; ++times) {
      rows.insert(rows.end(), batch.slot.fields.begin(), batch.slot.fields.end());
    }
    const JobHandle large(engine, engine.Submit(Hold(batch.slot), rows.data(), 13 * 400, kSettings));
    Demand(engine.Await(large.job(), 1.5 * kLong), "a large batch waits for ever");
  }
  ends = true;
  for (std::thread& thread : greedy) thread.join();
}

// Blocks that are too small for a request are freed only if that makes room for it.
void BlocksOfTwo() {
  constexpr size_t kSmall = size_t{1} << 20;
  BlockPool pool;
  pool.set_budget(9 * kSmall);
  std::vector<std::unique_ptr<Block>> blocks;
  for (int index = 0; index < 4; ++index) blocks.push_back(pool.Take(kSmall, 10));
  const size_t all = pool.allocated();
  pool.Return(std::move(blocks[0]));
  Demand(pool.Take(5 * kSmall, 10) == nullptr && pool.allocated() == all, "blocks were freed for nothing");
  for (int index = 1; index < 4; ++index) pool.Return(std::move(blocks[index]));
  std::unique_ptr<Block> large = pool.Take(5 * kSmall, 10);
  Demand(large != nullptr && pool.growths() == 5, "no blocks were freed");
  pool.Return(std::move(large));
  pool.Clear();
  Demand(pool.allocated() == 0, "a pool does not know what it has");
}

// What is reserved does not count as growth, and is enough.
void ReservedBlocks() {
  constexpr size_t kSmall = size_t{1} << 20;
  BlockPool pool;
  pool.set_budget(9 * kSmall);
  Demand(pool.Reserve(3 * kSmall / 2, 3, 10) == 3 && pool.Reserve(kSmall, 2, 10) == 3, "nothing was reserved");
  const size_t all = pool.allocated();
  std::vector<std::unique_ptr<Block>> blocks;
  for (int index = 0; index < 3; ++index) blocks.push_back(pool.Take(3 * kSmall / 2, 10));
  Demand(pool.growths() == 0 && pool.allocated() == all, "what was reserved was not enough");
  Demand(pool.Reserve(2 * kSmall, 9, 10) == 1, "the budget was not kept");
  for (auto& block : blocks) pool.Return(std::move(block));
  pool.Clear();
}

// A reader that could not be noted can be noted later.
void ReaderWithoutEvent() {
  Block block(1000);
  auto* const stream = reinterpret_cast<cudaStream_t>(1);
  bool failed = false;
  host_cuda_broken = true;
  try {
    block.NoteReader(stream);
  } catch (const std::runtime_error&) {
    failed = true;
  }
  host_cuda_broken = false;
  Demand(failed && block.IsUnread(), "a reader was noted without an event");
  block.NoteReader(stream);
  while (!block.IsUnread()) usleep(100);
}

}  // namespace

void RunCases() {
  Engine& engine = Engine::Of(0);
  for (void (*const run)() :
       {RefusedGroup,   FailedGroup,         BrokenInFlight, ReleasedInQueue,     NobodyHasIt,
        SlotUsedAgain,  CrampedDecodeStream, ShortOfPinned,  ShortOfDeviceMemory, ShortOfStreams,
        RoomForDecoder, NewDecoder,          LargeImages,    ScatteredFiles,      BesideWalks,
        BesideGreedy,   BlocksOfTwo,         ReservedBlocks, ReaderWithoutEvent,  RecipesOfBothSides}) {
    engine.SetBudget(kBudget);
    run();
    engine.Stop();
    const Engine::Use use = engine.use();
    Demand(use.jobs == 0 && use.allocated == 0, "a case has left something");
  }
  std::printf("the cases are good\n");
}

}  // namespace jaxdali::gpu
