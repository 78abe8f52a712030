// How slots grow and shrink, in this process: jaxdali.backend sets it.
#pragma once

#include <atomic>

namespace jaxdali::host {

inline constexpr double kLargestGrowthFactor = 4.0;

struct BufferSettings {
  // So many times what is needed is allocated where a slot is too small; from 1 to 4.
  std::atomic<double> growth_factor{1.0};
  // Pages go back to the system where a slot's batches need less than this part of what it has; from 0 to 1, 0: never.
  std::atomic<double> shrink_threshold{0.9};
};

inline BufferSettings buffer_settings;

}  // namespace jaxdali::host
