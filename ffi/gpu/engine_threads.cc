#include "gpu/engine_threads.h"

#include <cuda_runtime_api.h>
#include <pthread.h>

#include <deque>
#include <exception>
#include <utility>

#include "cpu/decode_row.h"
#include "cpu/shared_work.h"
#include "gpu/host_pool.h"
#include "gpu/lane.h"
#include "gpu/maker.h"
#include "gpu/memory.h"

namespace jaxdali::gpu {
namespace {

constexpr size_t kRoundBytes = size_t{64} << 20;

// An event that who waits for it sleeps at.
class SleepingEvent {
 public:
  SleepingEvent() {
    Check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync),
          "cudaEventCreateWithFlags");
  }
  ~SleepingEvent() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  SleepingEvent(SleepingEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  SleepingEvent& operator=(SleepingEvent&&) = delete;
  void Record(cudaStream_t stream) { Check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  void Await() { Check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

 private:
  cudaEvent_t event_ = nullptr;
};

size_t StoredBytes(const Row& row) { return static_cast<size_t>(row.height * row.width * kChannels); }

void CopyStored(const AheadItem& item, const uint8_t* from, cudaStream_t stream) {
  Check(cudaMemcpyAsync(item.pixels(), from, StoredBytes(item.image().row), cudaMemcpyHostToDevice, stream),
        "cudaMemcpyAsync");
}

void MakeOnHost(const AheadItem& item, uint8_t* staged) noexcept {
  AheadImage& image = item.image();
  // Stored pixels: calls turn them.
  Row row = image.row;
  row.orientation = 1;
  row.offset_bytes = 0;
  int32_t fields[kRowFields];
  StoreRow(row, fields);
  image.result = cpu::DecodeRow(fields, {item.file(), row.size_bytes}, {staged, row.height, row.width});
}

// Decodes on the threads of the host, and waits until the pixels are on the device. Throws where CUDA does.
void DecodeOnHost(Engine& engine, Lane& lane, const AheadItems& items) {
  for (size_t first = 0; first < items.size();) {
    std::vector<size_t> places;
    size_t size = 0, last = first;
    for (; last < items.size(); ++last) {
      const size_t bytes = StoredBytes(items[last].image().row);
      if (last > first && size + bytes > kRoundBytes) break;
      places.push_back(size);
      size += bytes;
    }
    uint8_t* const staging = lane.staging.Reserve(size);
    cpu::RunShared(HostPool::Get(), static_cast<int64_t>(last - first), 0,
                   [&](int64_t item) noexcept { MakeOnHost(items[first + item], staging + places[item]); });
    for (size_t item = first; item < last; ++item) {
      if (items[item].image().result.status == Status::kOk) {
        CopyStored(items[item], staging + places[item - first], lane.stream());
      }
    }
    lane.Synchronize();
    first = last;
  }
  engine.counts().host += items.size();
}

// A group on its way.
struct Flight {
  AheadGroup group;
  SleepingEvent done;
};

// Queues what nvJPEG and the copy engine do for a group; takes from it what the host is to do.
void Launch(Engine& engine, Lane& lane, Flight& flight) {
  AheadItems& items = flight.group.items;
  std::vector<Maker> makers(items.size());
  cpu::RunShared(HostPool::Get(), static_cast<int64_t>(makers.size()), 0, [&](int64_t index) noexcept {
    const AheadItem& item = items[index];
    makers[index] = ChooseMaker(item.image().row, item.file());
  });
  std::vector<Picture> pictures;
  std::vector<size_t> places;
  for (size_t index = 0; index < makers.size(); ++index) {
    const AheadItem& item = items[index];
    const Row& row = item.image().row;
    if (makers[index] == Maker::kCopy) {
      CopyStored(item, item.file(), lane.stream());
      ++engine.counts().copied;
    } else if (makers[index] == Maker::kNvjpeg) {
      pictures.push_back({item.file(),
                          static_cast<size_t>(row.size_bytes),
                          {item.pixels(), static_cast<size_t>(row.width * kChannels)}});
      places.push_back(index);
    }
  }
  if (!pictures.empty()) {
    const std::vector<size_t> refused = lane.decoder().Decode(pictures, lane.stream(), flight.group.alone);
    for (const size_t picture : refused) makers[places[picture]] = Maker::kHost;
    engine.counts().nvjpeg += pictures.size() - refused.size();
  }
  flight.done.Record(lane.stream());
  AheadItems here, passed;
  for (size_t index = 0; index < makers.size(); ++index) {
    (makers[index] == Maker::kHost ? passed : here).push_back(std::move(items[index]));
  }
  items = std::move(here);
  if (!passed.empty()) engine.PassToHost(std::move(passed));
}

// Calls that want the images decode them themselves, and say what is wrong.
void GiveUp(Engine& engine, Lane& lane, const AheadItems& items) noexcept {
  engine.GiveUp(items);
  cudaStreamSynchronize(lane.stream());
  cudaGetLastError();
}

void Depart(Engine& engine, Lane& lane, Flight& flight) {
  const AheadItems all = flight.group.items;
  try {
    Launch(engine, lane, flight);
  } catch (const std::exception&) {
    GiveUp(engine, lane, all);
  }
}

void Land(Engine& engine, Crew& crew, Lane& lane, Flight& flight) {
  try {
    flight.done.Await();
  } catch (const std::exception&) {
    GiveUp(engine, lane, flight.group.items);
  }
  engine.Finish(crew, flight.group);
}

void DecodeOrGiveUp(Engine& engine, Lane& lane, const AheadItems& items) {
  try {
    DecodeOnHost(engine, lane, items);
  } catch (const std::exception&) {
    GiveUp(engine, lane, items);
  }
}

}  // namespace

void RunCrewThread(Engine& engine, Crew& crew, size_t thread) {
  pthread_setname_np(pthread_self(), "jaxdali-decode");
  OnDevice current(engine.device());
  Lane lane(crew.settings.decoder, crew.settings.fancy_upsampling, Pipelining::kCaller);
  std::deque<Flight> flights;
  for (;;) {
    AheadGroup group = engine.Take(crew, thread, flights.empty());
    if (group.items.empty() && flights.empty()) return;
    const bool more = !group.items.empty();
    if (more && crew.settings.decoder == Decoder::kCpu) {
      DecodeOrGiveUp(engine, lane, group.items);
      engine.Finish(crew, group);
      continue;
    }
    if (more) {
      flights.push_back({std::move(group), SleepingEvent()});
      Depart(engine, lane, flights.back());
    }
    if (!more || flights.size() >= crew.flights) {
      Land(engine, crew, lane, flights.front());
      flights.pop_front();
    }
  }
}

void RunHostThread(Engine& engine) {
  pthread_setname_np(pthread_self(), "jaxdali-host");
  OnDevice current(engine.device());
  Lane lane(Decoder::kCpu, true, Pipelining::kCaller);
  for (AheadItems items; !(items = engine.TakeForHost()).empty();) {
    DecodeOrGiveUp(engine, lane, items);
    engine.FinishOnHost(items);
  }
}

}  // namespace jaxdali::gpu
