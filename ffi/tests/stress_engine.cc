// stress_engine LIBRARY FOLDER [ROUNDS]: several consumers use the decode engine at once, on a machine without a GPU.
// Every image is checked; no slot and no memory may stay held. To be built with sanitizers.
//
// LIBRARY is made of host_nvjpeg.cc; FOLDER has files of 20 x 30 pixels: plain_*.jpg, which nvJPEG accepts, and
// other_*.jpg.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <thread>

#include "engine/engine.h"
#include "engine/hardware_queues.h"
#include "gpu_decoding/nvjpeg_library.h"
#include "tests/host_cuda.h"
#include "tests/host_nvjpeg.h"
#include "tests/stress_cases.h"
#include "tests/stress_slots.h"

namespace {

using namespace jaxdali;       // NOLINT: a program
using namespace jaxdali::gpu;  // NOLINT

std::atomic<long> images_seen{0}, batches_seen{0}, batches_given_up{0};

// Does what a call does that finds the job. `ends`: the lease ends while the call is using it.
void Look(Engine& engine, Slot& slot, DecodeSettings settings, bool ends) {
  PinnedJob job(engine, engine.FindAndPin(slot.data.data(), settings).job);
  if (job) engine.Await(*job, -1);
  if (!job || !engine.IsDecoded(*job)) {
    ++batches_given_up;
    return;
  }
  ++batches_seen;
  if (ends) {
    engine.Release(*job);
    usleep(2000);
  }
  images_seen += Inspect(*job, slot);
  engine.NoteReader(*job, reinterpret_cast<cudaStream_t>(1));
}

void LookOrFail(Engine& engine, Slot& slot, DecodeSettings settings, bool ends) {
  try {
    Look(engine, slot, settings, ends);
  } catch (const std::runtime_error&) {
    Demand(host_cuda_broken, "a call has failed");
  }
}

struct Habits {
  DecodeSettings settings;
  size_t most_images;
  size_t ahead;
  bool waits;
  bool stops;    // stops the engine now and then, while others use it
  bool rewinds;  // now and then releases all it has requested, and waits for its slots
};

using Queue = std::deque<std::pair<JobPointer, Slot*>>;

void Rewind(Engine& engine, Queue& queue, std::vector<Slot*>& idle) {
  for (const auto& [job, slot] : queue) {
    engine.Release(*job);
    idle.push_back(slot);
    usleep(20);  // so that the engine's threads look meanwhile
  }
  queue.clear();
  const auto is_held = [](const Slot* slot) { return slot->holds != 0; };
  for (int wait = 0; std::any_of(idle.begin(), idle.end(), is_held); ++wait) {
    Demand(wait < 20000, "slots stay held");
    usleep(1000);
  }
}

void Consume(unsigned seed, int rounds, Habits habits) {
  Engine& engine = Engine::Of(0);
  std::mt19937 draws(seed);
  std::vector<Slot> slots(habits.ahead + 3);
  Queue queue;
  std::vector<Slot*> idle;
  for (Slot& slot : slots) idle.push_back(&slot);
  for (int round = 0; round < rounds;) {
    for (auto slot = idle.begin(); queue.size() < habits.ahead && slot != idle.end();) {
      if ((*slot)->holds != 0) {
        ++slot;
        continue;
      }
      Fill(**slot, 1 + draws() % habits.most_images, draws);
      const auto count = static_cast<int64_t>((*slot)->expected.size());
      queue.emplace_back(engine.Submit(Hold(**slot), (*slot)->fields.data(), count, habits.settings), *slot);
      slot = idle.erase(slot);
    }
    if (queue.empty()) {
      usleep(100);
      continue;
    }
    const auto [job, slot] = queue.front();
    queue.pop_front();
    ++round;
    if (draws() % 10 != 0) {
      while (habits.waits && !engine.Await(*job, 0.002)) {
      }
      LookOrFail(engine, *slot, habits.settings, draws() % 4 == 0);
    }
    engine.Release(*job);
    idle.push_back(slot);
    if (habits.stops && draws() % 8 == 0) engine.Stop();
    if (habits.rewinds && draws() % 4 == 0) Rewind(engine, queue, idle);
  }
  for (const auto& [job, slot] : queue) engine.Release(*job);
  queue.clear();
  engine.Stop();
  for (const Slot& slot : slots) {
    while (slot.holds != 0) usleep(100);
  }
}

// All kinds of consumers at once. `breaks`: CUDA fails in the middle.
void RunConsumers(int rounds, bool breaks) {
  const Habits habits[] = {
      {{Decoder::kHardware, true}, 200, 4, true, false, false},
      {{Decoder::kHardware, true}, 100, 6, false, false, true},
      {{Decoder::kHybrid, true}, 100, 6, true, false, false},
      {{Decoder::kGpu, true}, 300, 12, true, false, true},
      {{Decoder::kCuda, true}, 100, 6, true, false, false},
      {{Decoder::kCpu, true}, 20, 2, true, true, false},
  };
  std::vector<std::thread> consumers;
  for (unsigned index = 0; index < std::size(habits); ++index) {
    consumers.emplace_back(Consume, index, index < 3 ? rounds : rounds / 4, habits[index]);
  }
  if (breaks) {
    for (int wait = 0; batches_seen < 8 && wait < 300; ++wait) usleep(1000);
    host_cuda_broken = true;
  }
  for (std::thread& consumer : consumers) consumer.join();
  host_cuda_broken = false;
}

// Runs a consumer that waits, while another one that has much in stock does not go on.
void RunBesideIdle(int rounds) {
  Engine& engine = Engine::Of(0);
  std::mt19937 draws(1);
  Slot slot;
  Fill(slot, 400, draws);
  const DecodeSettings settings = {Decoder::kGpu, true};
  const JobPointer stock = engine.Submit(Hold(slot), slot.fields.data(), 400, settings);
  while (!engine.Await(*stock, 0.002)) {
  }
  Consume(10, rounds, {settings, 50, 2, true, false, false});
  engine.Release(*stock);
  engine.Stop();
}

}  // namespace

int main(int argc, char** argv) {
  Demand(argc >= 3, "usage: stress_engine LIBRARY FOLDER [ROUNDS]");
  OpenNvjpeg({argv[1]});
  auto* const library = static_cast<HostNvjpeg*>(dlsym(dlopen(argv[1], RTLD_NOW), "host_nvjpeg"));
  host_cuda_nvjpeg = library;
  ReadFiles(argv[2]);
  RunCases();
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 100;
  Engine& engine = Engine::Of(0);
  for (const size_t budget : {size_t{64} << 20, size_t{1} << 20, size_t{200} << 10}) {
    for (const bool breaks : {true, false}) {
      for (const long failure_period : {0L, 7L}) {
        engine.SetBudget(budget);
        hardware_queues = failure_period == 0 ? kManyQueues : kFewQueues;
        library->failure_period = failure_period;
        images_seen = batches_seen = batches_given_up = 0;
        RunConsumers(rounds, breaks);
        if (!breaks) {
          // Alone: no other consumer wakes the engine's threads.
          Consume(9, rounds, {{Decoder::kGpu, true}, 300, 12, false, false, true});
          RunBesideIdle(rounds);
        }
        const Engine::Use use = engine.use();
        std::printf("%6zu KiB%s%s: %ld images of %ld batches, %ld batches given up\n", budget >> 10,
                    breaks ? ", CUDA breaks" : "", failure_period != 0 ? ", failures" : "", images_seen.load(),
                    batches_seen.load(), batches_given_up.load());
        Demand(use.jobs == 0 && use.allocated == 0, "something is left");
        // With little room this may happen.
        Demand(batches_seen > 0 || breaks || budget < kSlotBytes * 64, "nothing was decoded ahead");
      }
    }
  }
  return 0;
}
