// How a call finds the job whose frames it gives: by an operand, 64 bytes on the host that keep the job alive.
#ifndef JAXDALI_GPU_VIDEO_TICKET_H_
#define JAXDALI_GPU_VIDEO_TICKET_H_

#include <cstdint>
#include <memory>

#include "gpu_video/clips_job.h"
#include "host/dlpack_abi.h"

namespace jaxdali::gpu {

inline constexpr int64_t kTicketBytes = 64;

// Returns a tensor `uint8[1, kTicketBytes]` in host memory of the job's device. Throws if there is no memory for it.
host::DLManagedTensor* MakeTicket(std::shared_ptr<ClipsJob> job);

// Returns the job of a ticket; null if the bytes are none. The ticket's array keeps it alive.
ClipsJob* JobOfTicket(const uint8_t* bytes);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_TICKET_H_
