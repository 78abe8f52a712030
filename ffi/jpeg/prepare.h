// Adds files whose headers have been read to a plan.
#ifndef JAXDALI_JPEG_PREPARE_H_
#define JAXDALI_JPEG_PREPARE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jpeg/file_header.h"
#include "jpeg/plan.h"

namespace jaxdali::jpeg {

struct File {
  const Header* image;
  uint64_t at;  // where its entropy-coded data begin among those of the batch
  uint64_t scan_bytes;
  Target target;
};

// Fills a plan from scratch. Returns the indices of the files that another decoder has to decode; the plan contains all
// other files, in order.
std::vector<size_t> Prepare(const std::vector<File>& files, Plan* plan, uint64_t most_window_bytes = kMostWindowBytes);

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_PREPARE_H_
