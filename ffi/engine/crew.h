// The threads that decode with one set of settings, and what they have to do.
#ifndef JAXDALI_ENGINE_CREW_H_
#define JAXDALI_ENGINE_CREW_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/ahead_job.h"
#include "gpu_decoding/batch_decoder.h"

namespace jaxdali::gpu {

using JobPointer = std::shared_ptr<AheadJob>;

// An image of a job that somebody has started.
struct AheadItem {
  JobPointer job;
  size_t index;
  AheadImage& image() const { return job->images[index]; }
  uint8_t* pixels() const { return job->block->data() + image().offset; }
  const uint8_t* file() const { return job->base + image().row.offset_bytes; }
};
using AheadItems = std::vector<AheadItem>;

// How many images the host decodes together, at most.
constexpr size_t kMostForHost = 64;

// The most bytes of pixels that our own kernels start on at once, unless one image has more: several threads decode a
// batch of large images, beside each other. Only tests set it.
inline std::atomic<size_t> most_group_bytes{size_t{1280} << 20};

// The engine's mutex guards everything except the constants.
struct Crew {
  explicit Crew(DecodeSettings settings);
  const DecodeSettings settings;
  size_t threads, group, flights;  // how many; images started at once; groups that a thread has on the device
  size_t group_bytes = SIZE_MAX;   // of pixels that are started at once, unless one image has more
  Pipelining pipelining;
  bool patient;             // a full group is worth waiting for
  size_t most_at_work = 0;  // threads that work at once; those that wait for a slow group do not count
  std::deque<JobPointer> queue;
  size_t at_work = 0;  // threads that work
  size_t busy = 0;     // groups that were started and not finished
  bool stuck = false;  // there is no memory to start anything, and there will be none soon
  std::optional<std::chrono::steady_clock::time_point> hungry_since;  // when it first had no memory to start anything
  bool retired = false;                                               // CUDA has failed one of its threads
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_CREW_H_
