#include "calls/clips/gpu_handler.h"

#include <cuda_runtime_api.h>

#include "gpu_video/ticket.h"
#include "handling/gpu_queued.h"

namespace ffi = xla::ffi;

namespace jaxdali::gpu {
namespace {

using Ticket = ffi::BufferR2<ffi::U8>;
using Frames = ffi::Buffer<ffi::U8, 5>;

ffi::Error Clips(cudaStream_t stream, Ticket ticket, ffi::Result<Frames> rgb) noexcept {
  if (ticket.dimensions()[1] != kTicketBytes) return ffi::Error::InvalidArgument("a ticket has 64 bytes");
  ClipsJob* const job = JobOfTicket(ticket.typed_data());
  if (job == nullptr) return ffi::Error::InvalidArgument("that is no ticket, or one that was given back");
  const ClipsShape& shape = job->shape();
  const auto extents = rgb->dimensions();
  if (extents[0] != shape.clips || extents[1] != shape.frames || extents[2] != shape.height ||
      extents[3] != shape.width || extents[4] != 3) {
    return ffi::Error::InvalidArgument("the result does not have the shape that the clips were decoded for");
  }
  // Who gives out tickets waits first, and asks for faults.
  if (!job->Await(0)) return ffi::Error::Internal("the clips are still being decoded");
  if (const auto faults = job->Faults(); !faults.empty()) return ffi::Error::Internal(faults.front().second.text);
  return Queued(kClipsTarget, job->Show(rgb->typed_data(), stream));
}

}  // namespace

// Not compatible with command buffers: the next call has another ticket.
XLA_FFI_DEFINE_HANDLER_SYMBOL(ClipsHandler, Clips,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<cudaStream_t>>()
                                  .Arg<Ticket>()    // ticket uint8[1, 64], on the host
                                  .Ret<Frames>());  // frames uint8[N, T, H, W, 3]

}  // namespace jaxdali::gpu
