// How the device memory for images that are decoded ahead grows in this process; jaxdali.backend sets it.
#ifndef JAXDALI_ENGINE_GROWTH_H_
#define JAXDALI_ENGINE_GROWTH_H_

#include <atomic>

namespace jaxdali::gpu {

// A block is this many times as large as the first request for it, so that batches of similar size fit into each
// other's blocks, like DALI's buffers. From 1 to 4.
inline std::atomic<double> growth_factor{1.1};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_GROWTH_H_
