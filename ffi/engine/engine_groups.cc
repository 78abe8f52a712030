// How an engine hands work to its threads, and what they report back.
#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/engine.h"

namespace jaxdali::gpu {
namespace {

// How often a thread that needs memory looks for some: readers finish on the device, which notifies nobody.
constexpr auto kLook = std::chrono::milliseconds(1);
// How long a thread may fail to notice that a job was released, which happens without a lock, or that a call used one.
constexpr auto kNap = std::chrono::milliseconds(5);

// How long a crew may go hungry while another crew, which needs less at a time, takes freed memory. After that the
// waiting one is told to do without.
constexpr auto kMostHungry = std::chrono::seconds(5);

}  // namespace

// Assigns memory to jobs in order; returns how many images can be started, at most one group.
size_t Engine::Admit(Crew& crew, bool* blocked) {
  size_t count = 0;
  for (const JobPointer& job : crew.queue) {
    if (count >= crew.group) break;
    if (job->block == nullptr) {
      job->block = pool_.Take(job->block_bytes, job->images.size());
      if (job->block == nullptr) {
        *blocked = true;
        break;
      }
      job->late = job->block->late();
    }
    count += job->images.size() - job->begun;
  }
  return std::min(count, crew.group);
}

AheadItems Engine::Collect(Crew& crew, size_t count) {
  AheadItems items;
  items.reserve(count);  // so that nothing throws half way
  size_t bytes = 0;
  bool is_full = false;
  while (items.size() < count && !is_full) {
    const JobPointer job = crew.queue.front();
    job->state = AheadState::kDecoding;
    for (; job->next < job->images.size() && items.size() < count; ++job->next) {
      const uint32_t index = job->order[job->next];
      const AheadImage& image = job->images[index];
      if (image.result.status != Status::kOk) continue;
      bytes += job->settings.BytesOf(image.row);
      is_full = !items.empty() && bytes > crew.group_bytes;
      if (is_full) break;
      items.push_back({job, index});
      ++job->begun;
    }
    if (job->begun == job->images.size()) crew.queue.pop_front();
  }
  return items;
}

size_t Engine::Stock(const Crew& crew) const {
  size_t stock = 0;
  for (const JobPointer& job : jobs_) {
    if (job->settings == crew.settings && job->state == AheadState::kDecoded && job->times_used == 0)
      stock += job->images.size();
  }
  return stock;
}

bool Engine::IsIdle() const {
  size_t busy = host_busy_ + for_host_.size();
  for (const auto& [settings, crew] : crews_) busy += crew->busy;
  return busy == 0;
}

bool Engine::IsStuck(const AheadJob& job) const {
  const auto crew = crews_.find(job.settings);
  return job.block == nullptr && crew != crews_.end() && crew->second->stuck;
}

// Not if the images' consumers would have to wait, too.
bool Engine::IsFullGroupWorthIt(const Crew& crew, size_t count) const {
  if (!crew.patient) return false;
  if (crew.busy != 0) return true;
  const auto is_awaited = [](const JobPointer& job) { return job->awaited; };
  return Stock(crew) > count && std::none_of(crew.queue.begin(), crew.queue.end(), is_awaited);
}

AheadItems Engine::Take(Crew& crew, bool may_wait, bool* works) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (!*works && crew.at_work == crew.most_at_work && !stopping_) {
      if (!may_wait) return {};
      places_.wait(lock);
      continue;
    }
    Sweep();
    bool blocked = false;
    const size_t count = stopping_ ? 0 : Admit(crew, &blocked);
    if (!blocked || count > 0) crew.hungry_since.reset();
    if (count == crew.group || (count > 0 && !IsFullGroupWorthIt(crew, count))) {
      AheadItems items = Collect(crew, count);
      ++crew.busy;
      if (!*works) ++crew.at_work;
      *works = true;
      return items;
    }
    if (!may_wait || stopping_) return {};
    if (!blocked) {
      if (jobs_.empty()) {
        work_.wait(lock);
      } else {
        work_.wait_for(lock, kNap);
      }
      continue;
    }
    // If some images can be started, they are, as soon as somebody waits for them.
    if (count == 0) {
      const auto now = std::chrono::steady_clock::now();
      if (!crew.hungry_since) crew.hungry_since = now;
      crew.stuck = (IsIdle() && !pool_.IsDraining()) || now - *crew.hungry_since > kMostHungry;
    }
    if (crew.stuck) settled_.notify_all();
    work_.wait_for(lock, kLook);
    crew.stuck = false;
  }
}

void Engine::Rest(Crew& crew, bool* works) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (*works) --crew.at_work;
  *works = false;
  places_.notify_all();
}

void Engine::CountFinished(const AheadItems& items) {
  for (const AheadItem& item : items) {
    AheadJob& job = *item.job;
    ++job.finished;
    if (item.image().result.status != Status::kOk) ++counts_.failed;
    const bool given_up = job.state == AheadState::kGivenUp;
    if (job.finished != (given_up ? job.begun : job.images.size())) continue;
    if (!given_up) job.state = AheadState::kDecoded;
    job.held = HeldBytes(nullptr);
  }
  settled_.notify_all();
  work_.notify_all();
  if (stopping_) host_work_.notify_all();
}

void Engine::Finish(Crew& crew, const AheadItems& group) {
  std::lock_guard<std::mutex> lock(mutex_);
  --crew.busy;
  CountFinished(group);
}

void Engine::GiveUp(const AheadItems& items) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const AheadItem& item : items) Abandon(*item.job);
}

void Engine::Retire(Crew& crew) {
  std::lock_guard<std::mutex> lock(mutex_);
  crew.retired = true;
  for (const JobPointer& job : crew.queue) Abandon(*job);
  crew.queue.clear();
}

void Engine::PassToHost(AheadItems items) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (AheadItem& item : items) for_host_.push_back(std::move(item));
  host_work_.notify_all();
}

AheadItems Engine::TakeForHost() {
  std::unique_lock<std::mutex> lock(mutex_);
  host_work_.wait(lock, [this] { return !for_host_.empty() || (stopping_ && IsIdle()); });
  AheadItems items;
  for (; !for_host_.empty() && items.size() < kMostForHost; for_host_.pop_front()) {
    items.push_back(std::move(for_host_.front()));
  }
  host_busy_ += !items.empty();
  return items;
}

void Engine::FinishOnHost(const AheadItems& items) {
  std::lock_guard<std::mutex> lock(mutex_);
  --host_busy_;
  CountFinished(items);
}

}  // namespace jaxdali::gpu
