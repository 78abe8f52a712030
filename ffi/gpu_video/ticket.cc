#include "gpu_video/ticket.h"

#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "gpu_decoding/memory.h"
#include "gpu_video/video_engine.h"

namespace jaxdali::gpu {
namespace {

constexpr uint64_t kMagic = 0x6A64636C69707469;
constexpr size_t kTicketsOfPage = 64;

struct TicketWords {
  uint64_t magic;
  ClipsJob* job;
};

// Page-locked memory of tickets, which is used again and never freed.
std::mutex mutex;
std::vector<uint8_t*>& Unused() {
  static auto* const unused = new std::vector<uint8_t*>();  // arrays may outlive static objects
  return *unused;
}

uint8_t* TakeBytes(int device) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (Unused().empty()) {
    const OnDevice current(device);
    void* page = nullptr;
    Check(cudaHostAlloc(&page, kTicketsOfPage * kTicketBytes, cudaHostAllocPortable), "cudaHostAlloc");
    for (size_t k = 0; k < kTicketsOfPage; ++k) Unused().push_back(static_cast<uint8_t*>(page) + k * kTicketBytes);
  }
  uint8_t* const bytes = Unused().back();
  Unused().pop_back();
  return bytes;
}

struct Ticket {
  std::shared_ptr<ClipsJob> job;
  uint8_t* bytes;
  int64_t shape[2] = {1, kTicketBytes};
  host::DLManagedTensor tensor{};
};

void Delete(host::DLManagedTensor* tensor) {
  auto* const ticket = static_cast<Ticket*>(tensor->manager_ctx);
  std::memset(ticket->bytes, 0, kTicketBytes);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    Unused().push_back(ticket->bytes);
  }
  delete ticket;
}

}  // namespace

host::DLManagedTensor* MakeTicket(std::shared_ptr<ClipsJob> job) {
  auto ticket = std::make_unique<Ticket>();
  const int device = job->engine().device();
  ticket->bytes = TakeBytes(device);
  const TicketWords words{kMagic, job.get()};
  std::memcpy(ticket->bytes, &words, sizeof(words));
  ticket->job = std::move(job);
  ticket->tensor = {{ticket->bytes, {host::kDLCUDAHost, device}, 2, {host::kDLUInt, 8, 1}, ticket->shape, nullptr, 0},
                    ticket.get(),
                    &Delete};
  return &ticket.release()->tensor;
}

ClipsJob* JobOfTicket(const uint8_t* bytes) {
  TicketWords words{};
  std::memcpy(&words, bytes, sizeof(words));
  return words.magic == kMagic ? words.job : nullptr;
}

}  // namespace jaxdali::gpu
