// Decodes the images of full slots before calls need them: jobs, memory, and the division of work.
#ifndef JAXDALI_ENGINE_ENGINE_H_
#define JAXDALI_ENGINE_ENGINE_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/ahead_job.h"
#include "engine/block_pool.h"
#include "engine/crew.h"

namespace jaxdali::gpu {

// Counted since the process started.
struct EngineCounts {
  std::atomic<uint64_t> gpu{0}, host{0}, copied{0}, failed{0};  // images made ahead, by what made them; bad images
  std::atomic<uint64_t> used{0};                                // images that calls found
  std::atomic<uint64_t> missed{0};                              // images that calls made themselves
  std::atomic<uint64_t> read_back{0};  // calls that had to wait for XLA's stream to learn their rows
  std::atomic<uint64_t> given_up{0};   // batches for which there was no memory, or that CUDA refused
};

// The engine of one device. Never destroyed, like the threads that use it.
class Engine {
 public:
  static Engine& Of(int device);
  // Returns the engines that exist.
  static std::vector<Engine*> All();

  int device() const { return device_; }
  EngineCounts& counts() { return counts_; }

  // FOR THE EXECUTOR -------------------------------------------------------------------------------------------------
  // Raises the budget of device memory for images to at least `bytes`.
  void RaiseBudget(size_t bytes);
  // Sets the budget to exactly `bytes`; the engine keeps memory that it already has.
  void SetBudget(size_t bytes);
  // Prepares memory for this many batches of at most `bytes` and `rows` images, within the budget; returns how many
  // batches have room.
  size_t Reserve(size_t bytes, size_t batches, size_t rows);
  // Submits the images of some rows for decoding. Jobs are started in order.
  JobPointer Submit(HeldBytes held, const int32_t* rows, int64_t count, DecodeSettings settings);
  // Waits until the job is decoded or given up. Returns false if the time is up first (negative: never).
  bool Await(AheadJob& job, double timeout_s);
  bool IsSettled(const AheadJob& job);
  bool IsDecoded(const AheadJob& job);
  std::optional<DecodeSettings> Wanted(const AheadJob& job);
  // Names an array that holds the job's rows in order. Nobody may change or free it until this is called with null.
  void SetKnownRows(AheadJob& job, const void* rows);
  // For a call that should raise, had known rows, and has run: returns the first row that failed because of its
  // operands. The call itself did not raise, because it would have had to wait for the operands.
  std::optional<std::pair<int64_t, Status>> LateFailure(const AheadJob& job);
  // After this no call finds the job, because its bytes may change. Takes no lock.
  void Release(AheadJob& job) noexcept;

  // FOR CALLS --------------------------------------------------------------------------------------------------------
  // A job that a call has found, and what was true of it then.
  struct Found {
    JobPointer job;
    const void* known_rows = nullptr;
    bool is_decoded = false;
  };
  // Returns the job for files at `base`, pinned, or nothing if there is none. If there is one with other settings,
  // notes in it that these are wanted.
  Found FindAndPin(const uint8_t* base, DecodeSettings settings);
  void Unpin(AheadJob& job);
  // Notes that everything queued on the stream up to now may read the images of a job, which is pinned.
  void NoteReader(AheadJob& job, cudaStream_t stream);

  // FOR ITS THREADS --------------------------------------------------------------------------------------------------
  // Returns images to decode together, with memory assigned to them; then the thread is at work (`works`) until it
  // calls `Rest`. Returns none if there are none for it now and `may_wait` is false, or if the thread is to end.
  AheadItems Take(Crew& crew, bool may_wait, bool* works);
  // Lets another thread of the crew work instead of this one, which waits for the device.
  void Rest(Crew& crew, bool* works);
  // Notes that a group is done, except for images that were passed on to the host.
  void Finish(Crew& crew, const AheadItems& group);
  void GiveUp(const AheadItems& items);
  // Gives up the crew's queued jobs; later jobs for it are given up at once.
  void Retire(Crew& crew);
  void PassToHost(AheadItems items);
  AheadItems TakeForHost();
  void FinishOnHost(const AheadItems& items);

  // Gives CUDA back the device memory that contains no batch and that nothing reads; returns the number of bytes.
  size_t FreeUnused();

  // FOR ITS OWNER ----------------------------------------------------------------------------------------------------
  struct Use {
    size_t budget, allocated;
    uint64_t growths;
    size_t most_per_image;  // bytes of an image, on average in the batch where that was largest
    size_t jobs, images_waiting, images_decoded;
  };
  Use use();
  // Ends the threads once they have finished what they have started, and frees memory that no job uses. A later job
  // starts them again.
  void Stop();

 private:
  explicit Engine(int device) : device_(device) {}
  void ReleaseOlder(const AheadJob& job);
  Crew* StartCrew(DecodeSettings settings);
  void Sweep();
  size_t Admit(Crew& crew, bool* blocked);
  AheadItems Collect(Crew& crew, size_t count);
  bool IsIdle() const;
  bool IsStuck(const AheadJob& job) const;
  size_t Stock(const Crew& crew) const;  // decoded images whose calls have not come yet
  bool IsFullGroupWorthIt(const Crew& crew, size_t count) const;
  void CountFinished(const AheadItems& items);
  void Abandon(AheadJob& job);

  const int device_;
  EngineCounts counts_;
  std::mutex owner_mutex_;  // held by whoever starts or ends threads
  std::mutex mutex_;
  // Each has few waiters, because to wake a thread takes as long as to queue a kernel.
  std::condition_variable work_;       // a crew has something to do
  std::condition_variable places_;     // one thread of a crew less is at work
  std::condition_variable host_work_;  // there are images for the host
  std::condition_variable settled_;    // a job is settled, or stuck
  size_t most_per_image_ = 0;
  BlockPool pool_;
  std::vector<JobPointer> jobs_;
  std::map<DecodeSettings, std::unique_ptr<Crew>> crews_;
  std::deque<AheadItem> for_host_;
  size_t host_busy_ = 0;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

// Calls `work`, and calls it again if device memory ran out and the engine could free some.
template <typename Work>
auto DoWithRoom(Engine& engine, Work work) {
  try {
    return work();
  } catch (const OutOfDeviceMemory&) {
    if (engine.FreeUnused() == 0) throw;
  }
  return work();
}

// A job that a call has found, pinned for as long as the call needs it.
class PinnedJob {
 public:
  PinnedJob() = default;
  PinnedJob(Engine& engine, JobPointer job) : engine_(&engine), job_(std::move(job)) {}
  PinnedJob(const PinnedJob&) = delete;
  PinnedJob& operator=(const PinnedJob&) = delete;
  ~PinnedJob() {
    if (job_ != nullptr) engine_->Unpin(*job_);
  }
  explicit operator bool() const { return job_ != nullptr; }
  AheadJob& operator*() const { return *job_; }
  AheadJob* operator->() const { return job_.get(); }
  Engine& engine() const { return *engine_; }

 private:
  Engine* engine_ = nullptr;
  JobPointer job_;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_ENGINE_H_
