// How slots grow and shrink, in this process: jaxdali.backend sets it.
#ifndef JAXDALI_RING_BUFFERS_H_
#define JAXDALI_RING_BUFFERS_H_

#include <atomic>

namespace jaxdali::host {

inline constexpr double kLargestGrowthFactor = 4.0;

struct BufferSettings {
  // A slot that is too small gets this many times what it needs; from 1 to 4.
  std::atomic<double> growth_factor{1.0};
  // A slot gives pages back to the system if its batches need less than this fraction of what it has; 0 (never) to 1.
  std::atomic<double> shrink_threshold{0.9};
};

inline BufferSettings buffer_settings;

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_BUFFERS_H_
