// A ring of slots in shared memory: publish, claim, write, finish, lease.
#ifndef JAXDALI_RING_RING_H_
#define JAXDALI_RING_RING_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ring/arena.h"
#include "ring/control.h"
#include "ring/geometry.h"
#include "ring/registration.h"

namespace jaxdali::host {

// What a worker has claimed.
struct Claim {
  uint32_t ring;  // which of those that the worker serves
  uint32_t slot;
  uint32_t chunk;
  uint64_t ticket;
  int64_t epoch;
  int64_t iteration;
  int64_t first_sample;
  SampleRange range;
};

struct RingOptions {
  uint32_t slots;
  uint32_t chunks;
  uint32_t outputs;
  uint32_t batch_size;
  uint64_t capacity;  // bytes allocated per slot at the start
  uint64_t stride;    // bytes of address space per slot; halved until it fits if address space is limited
};

// What the parent requests.
struct Order {
  uint64_t ticket;
  int64_t epoch;
  int64_t iteration;
  int64_t first_sample;
  uint32_t samples;
  uint32_t only;  // see SlotHeader
};

// The state of a slot's batch.
enum class SlotState { kPending, kDone, kFailed, kExhausted };

// Shared memory holds what this code cannot have written: something else in a worker wrote there. Gives the slot,
// output and sample, or -1 for unknown ones.
class RingDamaged : public std::runtime_error {
 public:
  RingDamaged(const std::string& what, int64_t slot, int64_t output = -1, int64_t sample = -1)
      : std::runtime_error(what), slot(slot), output(output), sample(sample) {}
  int64_t slot, output, sample;
};

class Ring : public std::enable_shared_from_this<Ring> {
 public:
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring();
  // `first`: the ring whose events this one shares, or null if it has its own.
  static std::shared_ptr<Ring> Create(const RingOptions& options, std::shared_ptr<Ring> first);
  static std::shared_ptr<Ring> Attach(int control_fd, int data_fd, std::shared_ptr<Ring> first);

  // PARENT ---------------------------------------------------------------------------------------------------------
  // A worker may write anywhere in shared memory at any time. So nothing here trusts what it reads there: what is known
  // beforehand comes from the parent's own books, and what only a worker can tell is read once, and checked.
  // Takes a free slot and returns it, or -1.
  int TakeFree();
  // Number of slots that are neither published nor leased.
  int FreeSlots() const;
  // From the second batch on, cuts batches into at most so many chunks. The first one is cut into as many as possible:
  // nobody knows yet how much work its samples are.
  void DivideInto(uint32_t chunks) { divide_into_ = chunks; }
  // Makes the slot's chunks claimable. `plans` has one entry per output; the dense ones are allocated here.
  void Publish(uint32_t slot, const Order& order, const std::vector<OutputPlan>& plans);
  // Throws RingDamaged if a word belongs to another batch.
  SlotState State(uint32_t slot) const;
  // Waits until the slot is complete, failed or exhausted, a signal arrived, or the time is up. Takes no GIL. Throws
  // RingDamaged, also if somebody else has closed the ring, and reopens it.
  SlotState Wait(uint32_t slot, double timeout_s);
  // Waits until a slot is freed or finished, a signal arrives, or the time is up.
  void WaitEvent(double timeout_s);
  // Makes every worker look for work: the worker that a publication woke may have been stopped before it took any.
  void WakeWorkers();
  // Takes back what nobody has started. Returns true when nobody works on the slot any more.
  bool Retire(uint32_t slot);
  // After `owner` died: makes its chunk claimable again, or idle if the batch was given up. What the owner wrote is
  // overwritten; room that it took at the tail stays a hole. Returns false if the word is no longer the owner's.
  bool Reopen(uint32_t slot, uint32_t chunk, uint64_t owner);
  // Returns the slot to the free list. Called by the last reference of a lease, from any thread. Does nothing in a
  // forked child, whose copies of the parent's leases say nothing about the parent.
  void Release(uint32_t slot) noexcept;
  // Shows readers at least `capacity` bytes of the slot, whose batch is complete. Allocates nothing: what nobody has
  // written reads as zeros. Throws RingDamaged if the slot claims a capacity that it cannot have.
  void Show(uint32_t slot, uint64_t capacity);
  // Takes over the capacity that the slot claims, if it can have it; returns the capacity.
  uint64_t Adopt(uint32_t slot);
  // Bytes of the slot that readers are shown, and bytes that have pages; never more than its address space.
  uint64_t capacity(uint32_t slot) const;
  uint64_t allocated(uint32_t slot) const;
  // Bytes of a complete slot that were taken for files and not used.
  uint64_t Holes(uint32_t slot) const;
  uint64_t shrinks() const { return shrinks_.load(std::memory_order_relaxed); }
  // What was requested of the slot.
  const SlotBook& book(uint32_t slot) const { return books_[slot]; }
  // Returns the chunks of published slots whose word carries `owner`, as {slot, chunk}.
  std::vector<std::pair<uint32_t, uint32_t>> OwnedBy(uint64_t owner) const;
  // Does nothing in a forked child: the ring is the parent's.
  void Close();
  // Page-locks what is allocated of a slot, unless it is locked already. Only the caller may hold a lease on the slot.
  // The memory is unlocked with the ring. Returns false if the accelerator refuses.
  bool Lock(uint32_t slot, const Registration& registration);

  // WORKER ---------------------------------------------------------------------------------------------------------
  // Waits for work in `rings`, which share their events. Takes first what only this owner may do, then the oldest
  // ticket. Returns nothing when the rings close, or after timeout_s (negative: never).
  // kept: rings of which an owner takes its own chunk of each batch, and another one's only once nothing has happened
  // for a while. It knows beforehand what it will read there, and has begun to fetch it.
  static std::optional<Claim> AwaitClaim(const std::vector<std::shared_ptr<Ring>>& rings, uint64_t owner,
                                         double timeout_s, const std::vector<bool>& kept = {});
  // Sets how many samples the batch has, for a producer of whole batches.
  void SetSamples(uint32_t slot, uint32_t samples);
  void Finish(uint32_t slot, uint32_t chunk, uint64_t ticket, uint64_t owner, WordState state);
  // Returns room for `count` samples of one shape, one after the other: at their planned place if they fit the plan,
  // otherwise at the tail. Grows the slot if needed.
  uint8_t* Place(uint32_t slot, uint32_t output, uint32_t first, const SampleRecord& shape, uint32_t count = 1);
  // Returns room for all samples of a batch, of which there may be none.
  uint8_t* PlaceBatch(uint32_t slot, uint32_t output, uint32_t samples, const SampleRecord& shape);

  // BOTH -----------------------------------------------------------------------------------------------------------
  const Geometry& geometry() const { return geometry_; }
  // Whether the ring is closing, so that nothing more is to be done.
  bool Closing() const;
  RingHeader* header() const { return reinterpret_cast<RingHeader*>(control_->data()); }
  RingHeader* events() const { return events_ ? events_->header() : header(); }
  SlotHeader* slot_header(uint32_t slot) const { return At<SlotHeader>(slot, 0); }
  std::atomic<uint64_t>* words(uint32_t slot) const { return At<std::atomic<uint64_t>>(slot, geometry_.words); }
  // One per chunk: the sample that it is at.
  std::atomic<uint32_t>* progress(uint32_t slot) const { return At<std::atomic<uint32_t>>(slot, geometry_.progress); }
  OutputPlan* plans(uint32_t slot) const { return At<OutputPlan>(slot, geometry_.plans); }
  SampleRecord* records(uint32_t slot) const {
    return At<SampleRecord>(slot, geometry_.records);
  }  // [outputs][batch_size]
  uint8_t* slot_data(uint32_t slot) const { return data_->data() + geometry_.stride * slot; }
  const Arena& control() const { return *control_; }
  const Arena& data() const { return *data_; }
  uint64_t generation(uint32_t slot) const { return generations_[slot].load(std::memory_order_acquire); }

 private:
  Ring(std::shared_ptr<Arena> control, std::shared_ptr<Arena> data, std::shared_ptr<Ring> first,
       const Geometry& geometry, bool created);
  // Whether this process created the ring, rather than inherited or attached it.
  bool IsParent() const;
  const Ring& first() const { return events_ ? *events_ : *this; }
  void CheckOpen();
  SlotState StateOf(uint32_t slot, uint32_t chunks) const;
  void Reserve(uint32_t slot, uint64_t end);
  uint64_t TakeTail(uint32_t slot, uint64_t size);
  uint64_t TakeTailForFile(uint32_t slot, uint32_t output, uint32_t sample, uint64_t size);
  uint64_t SpareRoom(uint32_t slot, uint32_t samples);
  void CheckStride(uint64_t capacity) const;
  bool CanHave(uint32_t slot, uint64_t capacity) const;
  void Allocate(uint32_t slot, uint64_t size);
  void Shrink(uint32_t slot);
  bool PlannedPlace(uint32_t slot, uint32_t output, uint32_t sample, const SampleRecord& shape, uint64_t* offset) const;
  void FindWork(uint64_t owner, struct Candidate* best, uint32_t index, bool own_only);
  Claim Claimed(const struct Candidate& claimed);

  template <typename T>
  T* At(uint32_t slot, uint64_t offset) const {
    return reinterpret_cast<T*>(control_->data() + kSlotsOffset + geometry_.control_bytes * slot + offset);
  }

  std::shared_ptr<Arena> control_;
  std::shared_ptr<Arena> data_;
  std::shared_ptr<Ring> events_;
  const Geometry geometry_;
  const bool created_;
  // The parent's own books; workers never use them.
  int64_t owner_pid_;
  std::atomic<bool> closed_{false};
  uint32_t divide_into_ = UINT32_MAX;
  std::vector<SlotBook> books_;
  std::vector<std::atomic<uint8_t>> free_;
  std::vector<std::atomic<uint64_t>> generations_;
  Registration registration_;
  std::vector<uint64_t> locked_;  // bytes of each slot
  // A worker's own: room at the tail for files of one output. So they lie together, and a GPU gets them by few copies,
  // although others store files for other GPUs meanwhile.
  struct Stretch {
    uint64_t ticket = 0;  // of the batch
    uint64_t at = 0, end = 0;
    uint64_t bytes = 0, files = 0;  // that were stored
  };
  std::vector<Stretch> stretches_;                  // [slots][outputs]
  std::vector<std::atomic<uint32_t>> stops_;        // where the chunk of a slot ends that was claimed last
  std::atomic_flag stretching_ = ATOMIC_FLAG_INIT;  // a thread is using the stretches; others do without
  // What a slot's batches have needed since the last check whether the slot may shrink.
  struct Use {
    uint64_t most = 0;
    uint32_t batches = 0;
    uint32_t patience = 64;  // batches until the next check
    uint64_t kept = 0;       // bytes that the last shrinking left; 0 if there was none, or if the slot has grown since
  };
  std::vector<Use> uses_;
  double needed_of_sample_ = 0;  // bytes, in the batch of any slot where that was most
  std::atomic<uint64_t> shrinks_{0};
  uint64_t least_ = 0;  // bytes that a slot keeps: those that were requested at the start
};

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_RING_H_
