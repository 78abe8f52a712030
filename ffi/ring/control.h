// The shared control block of a ring: what parent and workers read and write about slots.
//
// One slot holds one whole batch. Its work is cut into chunks (ranges of samples); one 64-bit word per chunk says who
// does it. The parent publishes and workers claim by compare-and-swap; nobody takes a lock:
//
//   kIdle --publish--> kReady --claim--> kClaimed --finish--> kDone | kFailed | kExhausted
//     ^----retire--------' ^----reopen------'                            |
//                          '----publish, for the slot's next batch-------'
//
// When a batch is given up, its slot is retired: chunks that nobody has claimed become idle, and so do claimed ones
// that are reopened. The owner's id is part of the word, so that after a worker's death exactly its words can be found
// and reopened.
#ifndef JAXDALI_RING_CONTROL_H_
#define JAXDALI_RING_CONTROL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace jaxdali::host {

inline constexpr int kMaxDims = 8;
inline constexpr uint64_t kMagic = 0x6a617864616c6931;  // "jaxdali1"
// XLA's alignment of aliased buffers, and the unit of the offsets of images: the same number as in rows/rows.h, which
// the workers' code does not include.
inline constexpr size_t kAlignment = 64;

enum class WordState : uint64_t {
  kIdle = 0,
  kReady = 1,
  kClaimed = 2,
  kDone = 3,
  kFailed = 4,     // the source raised; the error's text travels over the worker's socket
  kExhausted = 5,  // the source is at its end
};

// {ticket: 44, owner: 16, state: 4}
struct Word {
  uint64_t ticket;
  uint64_t owner;
  WordState state;

  static Word Unpack(uint64_t bits) { return {bits >> 20, (bits >> 4) & 0xffff, static_cast<WordState>(bits & 15)}; }
  uint64_t Pack() const { return ticket << 20 | owner << 4 | static_cast<uint64_t>(state); }
};

inline constexpr uint64_t kMaxOwner = 0xffff;
inline constexpr uint64_t kTicketMask = (uint64_t{1} << 44) - 1;

// One sample of one output, written by whoever produced it.
struct SampleRecord {
  uint64_t offset;  // from the slot's start, in bytes
  uint64_t size_bytes;
  uint8_t dtype;  // DALIDataType
  uint8_t ndim;
  uint16_t flags;  // kRecord...
  uint16_t empty;  // 1 in record 0 of an empty batch: dtype and dims are valid, but there is no data
  // How many samples after this one are like it, and lie one behind the other: they have no records of their own. 0 of
  // files, whose records decoders read.
  uint16_t more;
  // Extents. A file has one, and behind it what its header says, or 0: decoding/known_header.h.
  int64_t dims[kMaxDims];
};
// Flags of a record of an encoded output.
inline constexpr uint16_t kRecordDecoded = 1;  // already pixels, not a file's bytes
inline constexpr uint16_t kRecordSeen = 2;     // its format was already recognised: do not look again
inline constexpr uint16_t kRecordRaw = 4;      // of any output: a file that others are still to decode
inline constexpr int kRecordStatusShift = 4;   // the status of a file that was found to be bad
inline constexpr int kLastStatus = 5;          // the last one in rows/rows.h, which does not know slots

// Where the parent expects an output's samples, based on the shape of earlier batches.
struct OutputPlan {
  uint64_t offset;      // of sample 0 from the slot's start
  uint64_t size_bytes;  // of one sample
  uint8_t dense;        // 0: no expectation, every sample takes room at the tail
  uint8_t dtype;
  uint8_t ndim;
  uint8_t encoded;  // files: JPEGs are kept as they are, others are handed back to be decoded
  uint32_t unused;
  int64_t dims[kMaxDims];
};

struct alignas(64) SlotHeader {
  std::atomic<uint64_t> tail;       // first free byte after what is laid out
  std::atomic<uint64_t> capacity;   // bytes that readers are shown; only grows
  std::atomic<uint64_t> allocated;  // bytes that have pages: writing them cannot fail
  uint64_t ticket;
  int64_t epoch;
  int64_t iteration;
  int64_t first_sample;  // index in the epoch of the batch's sample 0
  uint32_t samples;      // requested; a producer of whole batches overwrites it with what it produced
  uint32_t chunks;
  uint32_t only;               // the only owner that may claim chunks; 0: anybody
  std::atomic<uint32_t> raw;   // how many files were stored that are still to be decoded
  std::atomic<int64_t> spare;  // bytes that may still become holes, so that files lie together
};

struct RingHeader {
  uint64_t magic;
  uint32_t slots;
  uint32_t chunks;
  uint32_t outputs;
  uint32_t batch_size;
  uint64_t stride;                    // bytes of address space per slot
  uint64_t control_bytes;             // bytes of control block per slot
  std::atomic<double> growth_factor;  // the parent's, for workers
  std::atomic<uint64_t> growths;      // how often a slot was given more memory
  // Among the rings that the same workers serve, only the first one's events are used.
  alignas(64) std::atomic<uint32_t> work_event;  // futex: workers sleep on it
  alignas(64) std::atomic<uint32_t> done_event;  // futex: the parent sleeps on it
  alignas(64) std::atomic<uint32_t> closing;
};

static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free &&
                  std::atomic<double>::is_always_lock_free,
              "words in shared memory need lock-free atomics");

// Reads each word exactly once, although others may be writing it, so that the checked value is the one that is used.
template <typename T>
void CopyOnce(const T* shared, T* copy) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint64_t) == 0);
  uint64_t words[sizeof(T) / sizeof(uint64_t)];
  const auto* const from = reinterpret_cast<const volatile uint64_t*>(shared);
  for (size_t index = 0; index < sizeof(T) / sizeof(uint64_t); ++index) words[index] = from[index];
  std::memcpy(copy, words, sizeof(T));
}

// The half-open range of samples of one chunk; sizes differ by at most one, larger ones first.
struct SampleRange {
  uint32_t start;
  uint32_t stop;
};
inline SampleRange ChunkRange(uint32_t samples, uint32_t chunks, uint32_t chunk) {
  const uint32_t base = samples / chunks, rest = samples % chunks;
  const uint32_t start = chunk * base + (chunk < rest ? chunk : rest);
  return {start, start + base + (chunk < rest ? 1 : 0)};
}

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_CONTROL_H_
