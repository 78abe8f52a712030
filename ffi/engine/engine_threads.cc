#include "engine/engine_threads.h"

#include <cuda_runtime_api.h>
#include <pthread.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include "base/shared_work.h"
#include "decoding/stored_pixels.h"
#include "engine/trace.h"
#include "gpu_decoding/decode_route.h"
#include "gpu_decoding/decode_stream.h"
#include "gpu_decoding/host_pool.h"
#include "gpu_decoding/memory.h"

namespace jaxdali::gpu {
namespace {

// An event whose waiters sleep instead of spinning.
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

size_t StoredBytes(const AheadItem& item) { return item.job->settings.BytesOf(item.image().row); }

void CopyStored(const AheadItem& item, const uint8_t* from, cudaStream_t stream) {
  Check(cudaMemcpyAsync(item.pixels(), from, StoredBytes(item), cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
}

void MakeOnHost(const AheadItem& item, uint8_t* staged) noexcept {
  AheadImage& image = item.image();
  Row row = image.row;
  row.offset_bytes = 0;
  image.result = cpu::MakeStoredPixels(row, {item.file(), row.size_bytes}, item.job->settings.channels(), staged);
}

// Decodes on the host's threads, and waits until the pixels are on the device. Throws if CUDA fails.
void DecodeOnHost(Engine& engine, DecodeStream& decode_stream, const AheadItems& items) {
  const Range range("decode on the host", items.size());
  for (size_t first = 0; first < items.size();) {
    std::vector<size_t> places;
    size_t size = 0, last = first;
    for (; last < items.size(); ++last) {
      const size_t bytes = StoredBytes(items[last]);
      if (last > first && size + bytes > kRoundBytes) break;
      places.push_back(size);
      size += bytes;
    }
    uint8_t* const staging = decode_stream.staging.Reserve(size);
    cpu::RunShared(HostPool::Get(), static_cast<int64_t>(last - first), 0,
                   [&](int64_t item) noexcept { MakeOnHost(items[first + item], staging + places[item]); });
    for (size_t item = first; item < last; ++item) {
      if (items[item].image().result.status == Status::kOk) {
        CopyStored(items[item], staging + places[item - first], decode_stream.stream());
      }
    }
    decode_stream.Synchronize();
    first = last;
  }
  engine.counts().host += items.size();
}

// A group that is under way.
struct Flight {
  AheadItems items;
  std::optional<SleepingEvent> done;
};

// What a thread of a crew holds while the device may be using it.
struct Desk {
  std::optional<OnDevice> current;
  std::optional<DecodeStream> decode_stream;
  std::deque<Flight> flights;
  bool works = false;
};

// Whether the device takes long for the pictures, and leaves most of itself free.
bool AreSlow(const std::vector<Picture>& pictures, Decoder decoder) {
  return decoder == Decoder::kCuda && std::any_of(pictures.begin(), pictures.end(), [](const Picture& picture) {
           return picture.header->is_progressive();
         });
}

// How many files' headers a thread reads: in that time another one can be woken.
constexpr int64_t kHeaders = 64;

// Queues a group's work for the decoder and the copy engine; passes what the host has to make on to the host.
void Launch(Engine& engine, Crew& crew, Desk& desk, Flight& flight) {
  DecodeStream& decode_stream = *desk.decode_stream;
  AheadItems& items = flight.items;
  const Range range("give to the decoder", items.size());
  std::vector<DecodeRoute> routes(items.size());
  std::vector<jpeg::Header> headers(items.size());
  const auto count = static_cast<int64_t>(items.size());
  cpu::RunShared(HostPool::Get(), count, (count + kHeaders - 1) / kHeaders, [&](int64_t index) noexcept {
    const AheadItem& item = items[index];
    routes[index] = ChooseDecodeRoute(item.image().row, item.file(), decode_stream.settings(), &headers[index]);
  });
  std::vector<Picture> pictures;
  std::vector<size_t> places;
  for (size_t index = 0; index < routes.size(); ++index) {
    const AheadItem& item = items[index];
    const Row& row = item.image().row;
    if (routes[index] == DecodeRoute::kCopy) {
      CopyStored(item, item.file(), decode_stream.stream());
      ++engine.counts().copied;
    } else if (routes[index] == DecodeRoute::kDevice) {
      pictures.push_back({item.file(),
                          static_cast<size_t>(row.size_bytes),
                          {item.pixels(), static_cast<size_t>(decode_stream.settings().StrideOf(row))},
                          item.job->base,
                          &headers[index]});
      places.push_back(index);
    }
  }
  if (AreSlow(pictures, decode_stream.settings().decoder)) engine.Rest(crew, &desk.works);
  if (!pictures.empty()) {
    const std::vector<size_t> refused = DoWithRoom(engine, [&] { return decode_stream.Decode(pictures); });
    for (const size_t picture : refused) routes[places[picture]] = DecodeRoute::kHost;
    engine.counts().gpu += pictures.size() - refused.size();
  }
  flight.done->Record(decode_stream.stream());
  AheadItems here, passed;
  for (size_t index = 0; index < routes.size(); ++index) {
    (routes[index] == DecodeRoute::kHost ? passed : here).push_back(std::move(items[index]));
  }
  items = std::move(here);
  if (!passed.empty()) engine.PassToHost(std::move(passed));
}

// Gives up the images' jobs: calls that need them decode them themselves, and report what is wrong. When this returns,
// nothing uses the images.
void GiveUp(Engine& engine, DecodeStream& decode_stream, const AheadItems& items) noexcept {
  engine.GiveUp(items);
  // Whatever nvJPEG has started is on the stream or has finished.
  if (cudaStreamSynchronize(decode_stream.stream()) == cudaSuccess) return;
  AwaitDevice();
}

void Depart(Engine& engine, Crew& crew, Desk& desk, Flight& flight) {
  const AheadItems all = flight.items;
  try {
    flight.done.emplace();
    Launch(engine, crew, desk, flight);
  } catch (const std::exception&) {
    GiveUp(engine, *desk.decode_stream, all);
  }
}

void DecodeOrGiveUp(Engine& engine, DecodeStream& decode_stream, const AheadItems& items) {
  try {
    DoWithRoom(engine,
               [&] { DoAndAwait(decode_stream.stream(), [&] { DecodeOnHost(engine, decode_stream, items); }); });
  } catch (const std::exception&) {
    GiveUp(engine, decode_stream, items);
  }
}

// Waits for the oldest group. Without a decode stream there is nothing to wait for.
void Land(Engine& engine, Crew& crew, Desk& desk) {
  Flight& flight = desk.flights.front();
  const Range range("wait for the device", flight.items.size());
  try {
    if (flight.done) flight.done->Await();
  } catch (const std::exception&) {
    GiveUp(engine, *desk.decode_stream, flight.items);
  }
  engine.Finish(crew, flight.items);
  desk.flights.pop_front();
}

// Creates the decode stream when there is something to decode. Returns false if there is no memory for one now.
bool HasDecodeStream(Engine& engine, const Crew& crew, std::optional<DecodeStream>& decode_stream) {
  if (decode_stream) return true;
  try {
    DoWithRoom(engine, [&] { decode_stream.emplace(crew.settings, crew.pipelining, crew.flights); });
  } catch (const OutOfDeviceMemory&) {
    return false;
  }
  return true;
}

// Runs until the engine stops. Throws if CUDA fails for good, with groups in flight.
void DecodeForCrew(Engine& engine, Crew& crew, Desk& desk) {
  desk.current.emplace(engine.device());
  std::deque<Flight>& flights = desk.flights;
  for (;;) {
    AheadItems items = engine.Take(crew, flights.empty(), &desk.works);
    if (items.empty() && flights.empty()) return;
    const bool more = !items.empty();
    if (more) {
      flights.push_back({std::move(items), std::nullopt});
      if (!HasDecodeStream(engine, crew, desk.decode_stream)) {
        engine.GiveUp(flights.back().items);
      } else if (crew.settings.decoder == Decoder::kCpu) {
        DecodeOrGiveUp(engine, *desk.decode_stream, flights.back().items);
      } else {
        Depart(engine, crew, desk, flights.back());
      }
    }
    if (!more || flights.size() >= crew.flights) Land(engine, crew, desk);
  }
}

}  // namespace

void RunCrewThread(Engine& engine, Crew& crew) {
  pthread_setname_np(pthread_self(), "jaxdali-decode");
  Desk desk;
  try {
    DecodeForCrew(engine, crew, desk);
  } catch (const std::exception&) {
    // The groups' memory will be returned, and the decode stream destroyed: nothing may use them any more.
    cudaSetDevice(engine.device());
    AwaitDevice();
    // From now on calls decode themselves, and report what CUDA says.
    for (const Flight& flight : desk.flights) {
      engine.GiveUp(flight.items);
      engine.Finish(crew, flight.items);
    }
    engine.Retire(crew);
  }
}

void RunHostThread(Engine& engine) {
  pthread_setname_np(pthread_self(), "jaxdali-host");
  std::optional<OnDevice> current;
  std::optional<DecodeStream> decode_stream;
  for (AheadItems items; !(items = engine.TakeForHost()).empty();) {
    try {
      if (!current) current.emplace(engine.device());
      if (!decode_stream) DoWithRoom(engine, [&] { decode_stream.emplace(DecodeSettings{Decoder::kCpu, true}); });
      DecodeOrGiveUp(engine, *decode_stream, items);
    } catch (const std::exception&) {
      engine.GiveUp(items);
    }
    engine.FinishOnHost(items);
  }
}

}  // namespace jaxdali::gpu
