// The images of one batch in a slot, decoded before a call needs them.
#ifndef JAXDALI_ENGINE_AHEAD_JOB_H_
#define JAXDALI_ENGINE_AHEAD_JOB_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/block_pool.h"
#include "gpu_decoding/decode_settings.h"
#include "host/dlpack_abi.h"
#include "rows/row_checks.h"
#include "rows/rows.h"

namespace jaxdali::gpu {

// Bytes on the host, kept alive by the tensor that they came in. Releasing them may take the GIL.
class HeldBytes {
 public:
  explicit HeldBytes(host::DLManagedTensor* tensor) : tensor_(tensor) {}
  HeldBytes(HeldBytes&& other) noexcept : tensor_(std::exchange(other.tensor_, nullptr)) {}
  HeldBytes& operator=(HeldBytes&& other) noexcept {
    std::swap(tensor_, other.tensor_);
    return *this;
  }
  ~HeldBytes() {
    if (tensor_ != nullptr) tensor_->deleter(tensor_);
  }
  cpu::EncodedBytes bytes() const {
    const host::DLTensor& tensor = tensor_->dl_tensor;
    return {static_cast<const uint8_t*>(tensor.data) + tensor.byte_offset, tensor.shape[tensor.ndim - 1]};
  }

 private:
  host::DLManagedTensor* tensor_;
};

struct AheadImage {
  Row row;
  cpu::RowResult result;
  size_t offset;  // of its stored pixels in the block, which are dense
};

// The progress of a job. kGivenUp: calls that need the images decode them themselves.
enum class AheadState : uint8_t { kQueued, kDecoding, kDecoded, kGivenUp };

// The engine's mutex guards everything except the atomics, and except `images` while they are being decoded: each image
// then belongs to the thread that decodes it, and does not change afterwards.
struct AheadJob {
  const DecodeSettings settings;
  const uint8_t* const base;  // the rows' offsets count from here
  const std::vector<int32_t> fields;
  HeldBytes held;  // until all images are decoded
  std::vector<AheadImage> images;
  std::vector<uint32_t> order;  // of images, by where their files are, so that those of a group lie together
  size_t block_bytes = 0;
  std::unique_ptr<Block> block;
  int32_t* late = nullptr;  // in the block, one per row: statuses that became known when the call was already over
  AheadState state = AheadState::kQueued;
  size_t next = 0;  // where in `order` the next image to start is
  size_t begun = 0, finished = 0;
  bool awaited = false;                  // somebody is waiting for it and has nothing else to do
  int pins = 0;                          // calls that are about to read the block
  std::optional<DecodeSettings> wanted;  // different settings with which a call wanted the same files
  const void* known_rows = nullptr;      // an array that holds `fields` while this is set
  std::atomic<bool> released{false};     // no call may find it any more
  std::atomic<uint64_t> times_used{0};   // calls that found it

  int64_t count() const { return static_cast<int64_t>(images.size()); }
  bool is_settled() const { return state == AheadState::kDecoded || state == AheadState::kGivenUp; }
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_AHEAD_JOB_H_
