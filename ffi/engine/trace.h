// Ranges of the engine's threads in the timelines of NVIDIA's tools, such as Nsight Systems. If no tool is attached,
// which is decided once per process by its first range, a range costs a few nanoseconds.
#ifndef JAXDALI_ENGINE_TRACE_H_
#define JAXDALI_ENGINE_TRACE_H_

#include <cstddef>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define JAXDALI_HAS_NVTX 1
#else
#define JAXDALI_HAS_NVTX 0
#endif

namespace jaxdali::gpu {

#if JAXDALI_HAS_NVTX

// Marks what the calling thread does while this object lives, in the domain "jaxdali". `name` is a literal, `images` is
// the number of images.
class Range {
 public:
  Range(const char* name, size_t images) {
    nvtxEventAttributes_t what = {};
    what.version = NVTX_VERSION;
    what.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    what.messageType = NVTX_MESSAGE_TYPE_ASCII;
    what.message.ascii = name;
    what.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    what.payload.ullValue = images;
    nvtxDomainRangePushEx(Domain(), &what);
  }
  ~Range() { nvtxDomainRangePop(Domain()); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  static nvtxDomainHandle_t Domain() {
    static const nvtxDomainHandle_t domain = nvtxDomainCreateA("jaxdali");
    return domain;
  }
};

#else

class Range {
 public:
  Range(const char*, size_t) {}
};

#endif

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_TRACE_H_
