// Marks functions that the host and the device both call.
#ifndef JAXDALI_BASE_HOST_DEVICE_H_
#define JAXDALI_BASE_HOST_DEVICE_H_

#ifdef __CUDACC__
#define JAXDALI_HOST_DEVICE __host__ __device__
#else
#define JAXDALI_HOST_DEVICE
#endif

#endif  // JAXDALI_BASE_HOST_DEVICE_H_
