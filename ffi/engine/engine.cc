#include "engine/engine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "engine/engine_threads.h"
#include "gpu_decoding/memory.h"

namespace jaxdali::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kImageAlignment = 256;

// A wait without a limit, which only calls in programs have, is told on stderr after the first of these, and then after
// each of the other, as waits in Python are in their log (jaxdali/_base/patience.py). XLA's threads cannot use that
// one.
constexpr std::chrono::seconds kFirstTold{5}, kToldAgain{60};

std::mutex engines_mutex;
std::map<int, std::unique_ptr<Engine>>& Engines() {
  // Never destroyed: when the process ends, CUDA may be gone first.
  static auto* const engines = new std::map<int, std::unique_ptr<Engine>>();
  return *engines;
}

// Returns the images' indices in the order of their files in the slot.
std::vector<uint32_t> OrderOf(const std::vector<AheadImage>& images) {
  std::vector<uint32_t> order(images.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&images](uint32_t one, uint32_t other) {
    return images[one].row.offset_bytes < images[other].row.offset_bytes;
  });
  return order;
}

JobPointer MakeJob(HeldBytes held, const int32_t* rows, int64_t count, DecodeSettings settings) {
  const cpu::EncodedBytes encoded = held.bytes();
  auto job = JobPointer(new AheadJob{settings, encoded.data, {rows, rows + count * kRowFields}, std::move(held)});
  job->images.reserve(static_cast<size_t>(count));
  for (int64_t index = 0; index < count; ++index) {
    AheadImage image = {LoadRow(rows + index * kRowFields), {}, job->block_bytes};
    image.result = cpu::CheckRow(image.row, encoded);
    if (image.result.status == Status::kOk && IsRaw(image.row)) {
      image.result = cpu::CheckRaw(image.row);
    }
    if (image.result.status == Status::kOk) {
      const size_t size = settings.BytesOf(image.row);
      job->block_bytes += (size + kImageAlignment - 1) / kImageAlignment * kImageAlignment;
    }
    job->images.push_back(std::move(image));
  }
  job->order = OrderOf(job->images);
  return job;
}

// Whether the row refers to the bytes of a file.
bool IsFile(const int32_t* fields) { return fields[kStatus] == static_cast<int32_t>(Status::kOk) && fields[kSize] > 0; }

}  // namespace

Engine& Engine::Of(int device) {
  std::lock_guard<std::mutex> lock(engines_mutex);
  std::unique_ptr<Engine>& engine = Engines()[device];
  if (engine == nullptr) engine.reset(new Engine(device));
  return *engine;
}

std::vector<Engine*> Engine::All() {
  std::lock_guard<std::mutex> lock(engines_mutex);
  std::vector<Engine*> all;
  for (const auto& [device, engine] : Engines()) all.push_back(engine.get());
  return all;
}

void Engine::RaiseBudget(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > pool_.budget()) pool_.set_budget(bytes);
}

void Engine::SetBudget(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  pool_.set_budget(bytes);
}

size_t Engine::Reserve(size_t bytes, size_t batches, size_t rows) {
  OnDevice current(device_);
  std::lock_guard<std::mutex> lock(mutex_);
  Sweep();
  return pool_.Reserve(bytes, batches, rows);
}

JobPointer Engine::Submit(HeldBytes held, const int32_t* rows, int64_t count, DecodeSettings settings) {
  JobPointer job = MakeJob(std::move(held), rows, count, settings);
  OnDevice current(device_);
  std::lock_guard<std::mutex> owner(owner_mutex_);
  std::lock_guard<std::mutex> lock(mutex_);
  ReleaseOlder(*job);
  Sweep();
  if (count != 0) most_per_image_ = std::max(most_per_image_, (job->block_bytes + count - 1) / count);
  for (const AheadImage& image : job->images) {
    if (image.result.status == Status::kOk) continue;
    ++job->begun;
    if (image.result.status != Status::kMissing) ++counts_.failed;
  }
  job->finished = job->begun;
  if (job->finished == job->images.size()) {
    job->state = AheadState::kDecoded;
  } else if (job->block_bytes > pool_.limit()) {
    Abandon(*job);
  } else if (Crew* const crew = StartCrew(settings); crew == nullptr || crew->retired) {
    Abandon(*job);
  } else {
    crew->queue.push_back(job);
    work_.notify_all();
  }
  jobs_.push_back(job);
  return job;
}

// Releases older jobs for some of the same bytes, which had other contents when those jobs were submitted. (Columns of
// one slot have different bytes.)
void Engine::ReleaseOlder(const AheadJob& job) {
  std::unordered_set<int32_t> offsets;
  for (const JobPointer& older : jobs_) {
    const bool same = older->base == job.base && older->settings == job.settings;
    if (!same || older->released.load(std::memory_order_seq_cst)) continue;
    for (size_t row = 0; offsets.empty() && row < job.fields.size(); row += kRowFields) {
      if (IsFile(&job.fields[row])) offsets.insert(job.fields[row + kOffset]);
    }
    for (size_t row = 0; row < older->fields.size(); row += kRowFields) {
      if (IsFile(&older->fields[row]) && offsets.count(older->fields[row + kOffset]) != 0) {
        Release(*older);
        break;
      }
    }
  }
}

// Returns null if the system has no threads for the crew now. With only some of its threads it works too, but slower.
Crew* Engine::StartCrew(DecodeSettings settings) {
  if (const auto found = crews_.find(settings); found != crews_.end()) return found->second.get();
  auto crew = std::make_unique<Crew>(settings);
  Crew* const started = crew.get();
  const size_t before = threads_.size();
  threads_.reserve(before + 1 + crew->threads);
  const auto place = crews_.emplace(settings, std::move(crew)).first;
  try {
    if (threads_.empty()) threads_.emplace_back(RunHostThread, std::ref(*this));
    for (size_t thread = 0; thread < started->threads; ++thread) {
      threads_.emplace_back(RunCrewThread, std::ref(*this), std::ref(*started));
    }
  } catch (const std::exception&) {
    if (threads_.size() <= std::max<size_t>(before, 1)) {
      crews_.erase(place);
      return nullptr;
    }
  }
  return started;
}

void Engine::Abandon(AheadJob& job) {
  if (job.state != AheadState::kGivenUp) ++counts_.given_up;
  job.state = AheadState::kGivenUp;
  if (job.begun == job.finished) job.held = HeldBytes(nullptr);
  settled_.notify_all();
}

bool Engine::IsSettled(const AheadJob& job) {
  std::lock_guard<std::mutex> lock(mutex_);
  return job.is_settled();
}

std::optional<DecodeSettings> Engine::Wanted(const AheadJob& job) {
  std::lock_guard<std::mutex> lock(mutex_);
  return job.wanted;
}

bool Engine::IsDecoded(const AheadJob& job) {
  std::lock_guard<std::mutex> lock(mutex_);
  return job.state == AheadState::kDecoded;
}

bool Engine::Await(AheadJob& job, double timeout_s) {
  const auto began = Clock::now();
  const auto end = began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_s));
  auto tell_at = began + kFirstTold;
  std::unique_lock<std::mutex> lock(mutex_);
  if (!job.awaited && !job.is_settled()) work_.notify_all();
  job.awaited = true;
  while (!job.is_settled()) {
    // The memory is held by batches that nobody will use before this one, for example with two pipelines in one thread.
    if (IsStuck(job)) {
      Abandon(job);
      work_.notify_all();
      break;
    }
    if (timeout_s < 0) {
      if (settled_.wait_until(lock, tell_at) != std::cv_status::timeout || Clock::now() < tell_at) continue;
      tell_at = Clock::now() + kToldAgain;
      const size_t finished = job.finished, images = job.images.size();
      lock.unlock();  // whoever reads stderr may be slow, and must not stop the decoders
      const auto waited = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began);
      std::fprintf(stderr, "jaxdali: waiting for %lld s for images that are decoded ahead: %zu of %zu are decoded\n",
                   static_cast<long long>(waited.count()), finished, images);
      lock.lock();
    } else if (settled_.wait_until(lock, end) == std::cv_status::timeout && Clock::now() >= end) {
      return job.is_settled();
    }
  }
  return true;
}

void Engine::SetKnownRows(AheadJob& job, const void* rows) {
  std::lock_guard<std::mutex> lock(mutex_);
  job.known_rows = rows;
}

std::optional<std::pair<int64_t, Status>> Engine::LateFailure(const AheadJob& job) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (size_t row = 0; job.late != nullptr && row < job.images.size(); ++row) {
    if (job.late[row] != 0) return std::pair(static_cast<int64_t>(row), static_cast<Status>(job.late[row]));
  }
  return std::nullopt;
}

void Engine::Release(AheadJob& job) noexcept {
  job.released.store(true, std::memory_order_seq_cst);
  work_.notify_all();
}

Engine::Found Engine::FindAndPin(const uint8_t* base, DecodeSettings settings) {
  std::lock_guard<std::mutex> lock(mutex_);
  JobPointer other;
  for (const JobPointer& job : jobs_) {
    if (job->base != base || job->released.load(std::memory_order_seq_cst)) continue;
    if (!(job->settings == settings)) {
      other = job;
    } else if (job->state != AheadState::kGivenUp) {
      ++job->pins;
      return {job, job->known_rows, job->state == AheadState::kDecoded};
    }
  }
  if (other != nullptr) other->wanted = settings;
  return {};
}

void Engine::Unpin(AheadJob& job) {
  std::lock_guard<std::mutex> lock(mutex_);
  --job.pins;
}

void Engine::NoteReader(AheadJob& job, cudaStream_t stream) {
  // Without the engine's lock: a pinned job keeps its block, and CUDA may take long.
  if (job.block != nullptr) job.block->NoteReader(stream);
}

// Forgets the jobs that no call can find and no thread works on.
void Engine::Sweep() {
  const auto is_over = [this](const JobPointer& job) {
    const bool unwanted = job->released.load(std::memory_order_seq_cst) || job->state == AheadState::kGivenUp;
    if (!unwanted || job->pins != 0 || job->begun != job->finished) return false;
    if (job->block != nullptr) pool_.Return(std::move(job->block));
    job->late = nullptr;
    job->held = HeldBytes(nullptr);
    return true;
  };
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(), is_over), jobs_.end());
  for (auto& [settings, crew] : crews_) {
    auto& queue = crew->queue;
    const auto is_unwanted = [this](const JobPointer& job) {
      if (job->state == AheadState::kGivenUp) return true;
      if (!job->released.load(std::memory_order_seq_cst)) return false;
      // It was not started and never will be, but somebody may be waiting for it.
      job->state = AheadState::kGivenUp;
      settled_.notify_all();
      return true;
    };
    queue.erase(std::remove_if(queue.begin(), queue.end(), is_unwanted), queue.end());
  }
}

Engine::Use Engine::use() {
  std::lock_guard<std::mutex> lock(mutex_);
  Use use = {pool_.budget(), pool_.allocated(), pool_.growths(), most_per_image_, jobs_.size(), 0, 0};
  for (const JobPointer& job : jobs_) {
    use.images_waiting += job->images.size() - job->finished;
    use.images_decoded += job->finished;
  }
  return use;
}

size_t Engine::FreeUnused() {
  OnDevice current(device_);
  std::lock_guard<std::mutex> lock(mutex_);
  Sweep();
  return pool_.FreeUnused();
}

void Engine::Stop() {
  std::lock_guard<std::mutex> owner(owner_mutex_);
  std::vector<std::thread> threads;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    for (std::condition_variable* const waited : {&work_, &places_, &host_work_}) waited->notify_all();
  }
  for (std::thread& thread : threads) thread.join();
  OnDevice current(device_);
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [settings, crew] : crews_) {
    for (const JobPointer& job : crew->queue) Abandon(*job);
  }
  Sweep();
  crews_.clear();
  pool_.Clear();
  stopping_ = false;
}

}  // namespace jaxdali::gpu
