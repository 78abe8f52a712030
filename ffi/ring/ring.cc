#include "ring/ring.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <new>
#include <stdexcept>
#include <system_error>

#include "host/available_memory.h"
#include "ring/buffers.h"
#include "ring/futex.h"
#include "ring/slot_size.h"

namespace jaxdali::host {
namespace {

// How long work is left to the worker that is expected to do it.
constexpr double kPatienceS = 0.1;

// Numbers every use of every slot in the process, so that (address, generation) identifies contents for ever.
std::atomic<uint64_t> next_generation{1};

}  // namespace

// The best piece of work found so far.
struct Candidate {
  uint64_t owner;
  Ring* ring = nullptr;
  uint32_t index = 0, slot = 0, chunk = 0;
  uint64_t bits = 0, ticket = ~uint64_t{0};
  bool own = false;
};

Ring::Ring(std::shared_ptr<Arena> control, std::shared_ptr<Arena> data, std::shared_ptr<Ring> first,
           const Geometry& geometry, bool created)
    : control_(std::move(control)),
      data_(std::move(data)),
      events_(std::move(first)),
      geometry_(geometry),
      created_(created),
      owner_pid_(getpid()),
      books_(geometry.slots),
      free_(geometry.slots),
      generations_(geometry.slots),
      locked_(geometry.slots),
      stretches_(size_t{geometry.slots} * geometry.outputs),
      stops_(geometry.slots),
      uses_(geometry.slots) {
  for (uint32_t slot = 0; slot < geometry_.slots; ++slot) {
    free_[slot].store(1, std::memory_order_relaxed);
    generations_[slot].store(next_generation.fetch_add(1), std::memory_order_relaxed);
    books_[slot].encoded.resize(geometry_.outputs);
  }
}

std::shared_ptr<Ring> Ring::Create(const RingOptions& options, std::shared_ptr<Ring> first) {
  const uint64_t capacity = SizeClass(options.capacity);
  uint64_t stride = RoundUp(options.stride < capacity ? capacity : options.stride, 1 << 21);
  const Geometry least(options.slots, options.chunks, options.outputs, options.batch_size, capacity);
  if (capacity > kLargestSize / options.slots || least.control_bytes > kLargestSize / options.slots) {
    throw ShortOfMemory("jaxdali: a batch is too large for any memory");
  }
  RequireMemory(least.control_size() + least.data_size());
  std::shared_ptr<Arena> data;
  while (!data) {
    try {
      // Mapped twice, so at least half of the remaining address space stays available for everything else.
      data = Arena::Create("jaxdali-data", stride * options.slots);
      Arena::Attach(data->fd());
    } catch (const std::system_error&) {
      // ulimit -v or a file size limit: reserve less, as long as two size classes fit.
      if (stride / 2 < 2 * capacity) {
        if (data) break;
        throw;
      }
      stride /= 2;
      data.reset();
    }
  }
  const Geometry geometry(options.slots, options.chunks, options.outputs, options.batch_size, stride);
  auto control = Arena::Create("jaxdali-control", geometry.control_size());
  control->Allocate(0, control->size());
  auto* header = new (control->data()) RingHeader{};
  header->magic = kMagic;
  header->slots = geometry.slots;
  header->chunks = geometry.chunks;
  header->outputs = geometry.outputs;
  header->batch_size = geometry.batch_size;
  header->stride = geometry.stride;
  header->control_bytes = geometry.control_bytes;
  header->growth_factor = buffer_settings.growth_factor.load();
  auto ring = std::shared_ptr<Ring>(new Ring(std::move(control), std::move(data), std::move(first), geometry, true));
  for (uint32_t slot = 0; slot < options.slots; ++slot) {
    new (ring->slot_header(slot)) SlotHeader{};
    ring->Allocate(slot, capacity);
    ring->slot_header(slot)->capacity = capacity;
    ring->books_[slot].capacity = capacity;
  }
  ring->least_ = RoundUp(std::max(options.capacity, kSmallestSlot), kKeptUnit);
  header->growths = 0;  // only those from here on count
  return ring;
}

std::shared_ptr<Ring> Ring::Attach(int control_fd, int data_fd, std::shared_ptr<Ring> first) {
  auto control = Arena::Attach(control_fd);
  const auto* const header = reinterpret_cast<const volatile RingHeader*>(control->data());
  if (control->size() < kSlotsOffset || header->magic != kMagic) {
    throw std::runtime_error("jaxdali: the descriptor does not hold a ring of this version");
  }
  auto data = Arena::Attach(data_fd);
  const Geometry geometry(header->slots, header->chunks, header->outputs, header->batch_size, header->stride);
  const bool small = geometry.slots != 0 && geometry.control_bytes <= control->size() / geometry.slots &&
                     geometry.stride <= data->size() / geometry.slots;
  if (!small || geometry.control_size() > control->size()) {
    throw RingDamaged("jaxdali: the ring says that it is larger than its memory", -1);
  }
  return std::shared_ptr<Ring>(new Ring(std::move(control), std::move(data), std::move(first), geometry, false));
}

Ring::~Ring() {
  if (getpid() != owner_pid_) return;
  for (uint32_t slot = 0; slot < locked_.size(); ++slot) {
    if (locked_[slot] != 0) registration_.unlock(slot_data(slot));
  }
}

bool Ring::IsParent() const { return created_ && getpid() == owner_pid_; }

bool Ring::Closing() const {
  return first().IsParent() ? first().closed_.load() : events()->closing.load(std::memory_order_seq_cst) != 0;
}

int Ring::TakeFree() {
  for (uint32_t slot = 0; slot < geometry_.slots; ++slot) {
    uint8_t expected = 1;
    if (free_[slot].compare_exchange_strong(expected, 0, std::memory_order_acq_rel)) return static_cast<int>(slot);
  }
  return -1;
}

int Ring::FreeSlots() const {
  int count = 0;
  for (const auto& flag : free_) count += flag.load(std::memory_order_acquire);
  return count;
}

void Ring::Release(uint32_t slot) noexcept {
  if (getpid() != owner_pid_) return;
  generations_[slot].store(next_generation.fetch_add(1), std::memory_order_release);
  free_[slot].store(1, std::memory_order_release);
  FutexSignal(&events()->done_event);
}

void Ring::Publish(uint32_t slot, const Order& order, const std::vector<OutputPlan>& plans) {
  SlotHeader* const head = slot_header(slot);
  SlotBook& book = books_[slot];
  uint64_t end = 0;
  OutputPlan* const shared = this->plans(slot);
  for (uint32_t output = 0; output < geometry_.outputs; ++output) {
    OutputPlan plan = plans[output];
    book.encoded[output] = plan.encoded;
    records(slot)[geometry_.batch_size * output].empty = 0;
    if (plan.dense) {
      end = RoundUp(end, kAlignment);
      plan.offset = end;
      end += plan.size_bytes * order.samples;
    }
    shared[output] = plan;
  }
  end = RoundUp(end, kAlignment);
  header()->growth_factor.store(buffer_settings.growth_factor.load(), std::memory_order_relaxed);
  // Overwrites whatever workers stored there.
  head->capacity.store(Adopt(slot), std::memory_order_relaxed);
  head->allocated.store(allocated(slot), std::memory_order_relaxed);
  Shrink(slot);
  book.spare = SpareRoom(slot, order.samples);
  head->spare.store(static_cast<int64_t>(book.spare), std::memory_order_relaxed);
  Reserve(slot, end);
  uint32_t chunks = std::min(order.samples, geometry_.chunks);
  if (order.ticket > 1) chunks = std::clamp(divide_into_, 1u, chunks);
  head->tail.store(end, std::memory_order_relaxed);
  head->ticket = book.ticket = order.ticket;
  head->epoch = book.epoch = order.epoch;
  head->iteration = book.iteration = order.iteration;
  head->first_sample = book.first_sample = order.first_sample;
  head->samples = book.samples = order.samples;
  head->chunks = book.chunks = chunks;
  head->only = order.only;
  head->raw.store(0, std::memory_order_relaxed);
  book.wanted = true;
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    progress(slot)[chunk].store(ChunkRange(order.samples, chunks, chunk).start, std::memory_order_relaxed);
    words(slot)[chunk].store(Word{order.ticket, 0, WordState::kReady}.Pack(), std::memory_order_release);
  }
  // Wakes no more workers than can find work. If only one may do it, wakes all, so that this one is among them.
  FutexSignal(&events()->work_event, order.only == 0 ? static_cast<int>(chunks) : INT_MAX);
}

SlotState Ring::StateOf(uint32_t slot, uint32_t chunks) const {
  // The first chunk that is not done decides, as if the samples were produced one after the other.
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    switch (Word::Unpack(words(slot)[chunk].load(std::memory_order_seq_cst)).state) {
      case WordState::kDone:
        break;
      case WordState::kFailed:
        return SlotState::kFailed;
      case WordState::kExhausted:
        return SlotState::kExhausted;
      default:
        return SlotState::kPending;
    }
  }
  return SlotState::kDone;
}

SlotState Ring::State(uint32_t slot) const {
  const SlotBook& book = books_[slot];
  for (uint32_t chunk = 0; book.wanted && chunk < book.chunks; ++chunk) {
    const Word word = Word::Unpack(words(slot)[chunk].load(std::memory_order_seq_cst));
    const bool known = word.state > WordState::kIdle && word.state <= WordState::kExhausted;
    if (!known || word.ticket != (book.ticket & kTicketMask)) {
      throw RingDamaged("the word of chunk " + std::to_string(chunk) + " in slot " + std::to_string(slot) +
                            " is of ticket " + std::to_string(word.ticket) + ", state " +
                            std::to_string(static_cast<uint64_t>(word.state)) + ", expected ticket " +
                            std::to_string(book.ticket),
                        slot);
    }
  }
  return StateOf(slot, book.chunks);
}

void Ring::CheckOpen() {
  if (first().closed_.load() || events()->closing.load(std::memory_order_seq_cst) == 0) return;
  events()->closing.store(0, std::memory_order_seq_cst);
  throw RingDamaged("it was closed, and not by its owner", -1);
}

SlotState Ring::Wait(uint32_t slot, double timeout_s) {
  const uint32_t seen = events()->done_event.load(std::memory_order_seq_cst);
  const SlotState state = State(slot);
  if (state != SlotState::kPending) return state;
  CheckOpen();
  FutexWait(&events()->done_event, seen, timeout_s);
  return State(slot);
}

void Ring::WaitEvent(double timeout_s) {
  FutexWait(&events()->done_event, events()->done_event.load(std::memory_order_seq_cst), timeout_s);
}

void Ring::WakeWorkers() { FutexSignal(&events()->work_event); }

bool Ring::Retire(uint32_t slot) {
  bool quiet = true;
  books_[slot].wanted = false;
  for (uint32_t chunk = 0; chunk < books_[slot].chunks; ++chunk) {
    uint64_t bits = words(slot)[chunk].load(std::memory_order_acquire);
    Word word = Word::Unpack(bits);
    if (word.state == WordState::kReady) {
      if (words(slot)[chunk].compare_exchange_strong(bits, Word{word.ticket, 0, WordState::kIdle}.Pack())) continue;
      word = Word::Unpack(bits);
    }
    if (word.state == WordState::kClaimed) quiet = false;
  }
  return quiet;
}

bool Ring::Reopen(uint32_t slot, uint32_t chunk, uint64_t owner) {
  const SlotBook& book = books_[slot];
  uint64_t bits = words(slot)[chunk].load(std::memory_order_acquire);
  const Word word = Word::Unpack(bits);
  if (chunk >= book.chunks || word.state != WordState::kClaimed || word.owner != owner) return false;
  slot_header(slot)->samples = book.samples;  // a producer of whole batches may have set fewer before it died
  progress(slot)[chunk].store(ChunkRange(book.samples, book.chunks, chunk).start, std::memory_order_relaxed);
  const WordState next = book.wanted ? WordState::kReady : WordState::kIdle;
  if (!words(slot)[chunk].compare_exchange_strong(bits, Word{word.ticket, 0, next}.Pack())) return false;
  FutexSignal(&events()->work_event);
  return true;
}

std::vector<std::pair<uint32_t, uint32_t>> Ring::OwnedBy(uint64_t owner) const {
  std::vector<std::pair<uint32_t, uint32_t>> owned;
  for (uint32_t slot = 0; slot < geometry_.slots; ++slot) {
    for (uint32_t chunk = 0; chunk < books_[slot].chunks; ++chunk) {
      const Word word = Word::Unpack(words(slot)[chunk].load(std::memory_order_acquire));
      if (word.state == WordState::kClaimed && word.owner == owner) owned.emplace_back(slot, chunk);
    }
  }
  return owned;
}

void Ring::Close() {
  if (getpid() != owner_pid_) return;
  const_cast<Ring&>(first()).closed_ = true;
  events()->closing.store(1, std::memory_order_seq_cst);
  FutexSignal(&events()->work_event);
}

void Ring::FindWork(uint64_t owner, Candidate* best, uint32_t index, bool own_only) {
  for (uint32_t slot = 0; slot < geometry_.slots; ++slot) {
    // First a worker's own chunk of each batch, then the others in order. If there are fewer chunks than workers, no
    // worker waits for another one that may be asleep.
    const uint32_t chunks = std::clamp(uint32_t{slot_header(slot)->chunks}, 1u, geometry_.chunks);
    const auto own_chunk = static_cast<uint32_t>((owner + chunks - 1) % chunks);
    const uint32_t turns = own_only && owner <= chunks ? 1 : geometry_.chunks + 1;
    for (uint32_t turn = 0; turn < turns; ++turn) {
      const uint32_t chunk = turn == 0 ? own_chunk : turn - 1;
      const uint64_t bits = words(slot)[chunk].load(std::memory_order_acquire);
      const Word word = Word::Unpack(bits);
      if (word.state != WordState::kReady) continue;
      const uint32_t only = slot_header(slot)->only;
      if (only != 0 && only != owner) break;
      const bool own = only != 0;
      if (own > best->own || (own == best->own && word.ticket < best->ticket)) {
        *best = {owner, this, index, slot, chunk, bits, word.ticket, own};
      }
      break;
    }
  }
}

Claim Ring::Claimed(const Candidate& claimed) {
  const SlotHeader* const head = slot_header(claimed.slot);
  const SlotBook& book = books_[claimed.slot];
  // Forked workers have the parent's books as they were at the fork.
  const bool own = IsParent();
  const uint32_t chunks = own ? book.chunks : std::clamp(uint32_t{head->chunks}, 1u, geometry_.chunks);
  const uint32_t samples = own ? book.samples : std::min(uint32_t{head->samples}, geometry_.batch_size);
  const SampleRange range = ChunkRange(samples, chunks, claimed.chunk);
  stops_[claimed.slot].store(range.stop, std::memory_order_relaxed);
  return Claim{claimed.index,
               claimed.slot,
               claimed.chunk,
               claimed.ticket,
               own ? book.epoch : head->epoch,
               own ? book.iteration : head->iteration,
               own ? book.first_sample : head->first_sample,
               range};
}

std::optional<Claim> Ring::AwaitClaim(const std::vector<std::shared_ptr<Ring>>& rings, uint64_t owner, double timeout_s,
                                      const std::vector<bool>& kept) {
  bool patient = std::find(kept.begin(), kept.end(), true) != kept.end();
  RingHeader* const events = rings.front()->events();
  for (;;) {
    const uint32_t seen = events->work_event.load(std::memory_order_seq_cst);
    if (rings.front()->Closing()) return std::nullopt;
    Candidate best{owner};
    for (uint32_t index = 0; index < rings.size(); ++index) {
      rings[index]->FindWork(owner, &best, index, patient && index < kept.size() && kept[index]);
    }
    if (best.ring != nullptr) {
      // Work that only this owner may do is done in order. A slot may have been published after it was looked at, with
      // an older ticket than that of one published later; in that case there was an event in between.
      if (best.own && events->work_event.load(std::memory_order_seq_cst) != seen) continue;
      std::atomic<uint64_t>& word = best.ring->words(best.slot)[best.chunk];
      const uint64_t claimed = Word{best.ticket, owner, WordState::kClaimed}.Pack();
      if (!word.compare_exchange_strong(best.bits, claimed, std::memory_order_acq_rel)) continue;
      return best.ring->Claimed(best);
    }
    const bool soon = patient && (timeout_s < 0 || timeout_s > kPatienceS);
    const int woken = FutexWait(&events->work_event, seen, soon ? kPatienceS : timeout_s);
    if (woken == ETIMEDOUT && soon) {
      patient = false;  // the owner of that chunk is busy with another one
      continue;
    }
    if (woken == ETIMEDOUT || woken == EINTR) return std::nullopt;
  }
}

void Ring::SetSamples(uint32_t slot, uint32_t samples) { slot_header(slot)->samples = samples; }

void Ring::Finish(uint32_t slot, uint32_t chunk, uint64_t ticket, uint64_t owner, WordState state) {
  uint64_t expected = Word{ticket, owner, WordState::kClaimed}.Pack();
  if (!words(slot)[chunk].compare_exchange_strong(expected, Word{ticket, owner, state}.Pack(),
                                                  std::memory_order_seq_cst)) {
    throw std::logic_error("jaxdali: finishing a chunk that this worker does not hold");
  }
  // The parent waits for whole batches: waking it for every chunk would cost a system call each. The words are
  // sequentially consistent, so if two workers finish at once, at least one of them sees that the batch is complete.
  const uint32_t chunks = std::min(uint32_t{slot_header(slot)->chunks}, geometry_.chunks);
  if (StateOf(slot, chunks) != SlotState::kPending) FutexSignal(&events()->done_event);
}

}  // namespace jaxdali::host
