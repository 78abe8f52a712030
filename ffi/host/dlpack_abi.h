// The part of DLPack 0.x's binary interface that is exported here (https://dmlc.github.io/dlpack/latest/c_api.html).
#ifndef JAXDALI_HOST_DLPACK_ABI_H_
#define JAXDALI_HOST_DLPACK_ABI_H_

#include <cstdint>

namespace jaxdali::host {

inline constexpr int32_t kDLCPU = 1;
inline constexpr int32_t kDLCUDAHost = 3;

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

enum DLDataTypeCode : uint8_t { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBool = 6 };

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_DLPACK_ABI_H_
