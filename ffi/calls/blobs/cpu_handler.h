// The custom calls on blobs of masks, for the CPU platform only: there, XLA's own code for connected pixels is many
// times slower. On other platforms it is as fast as a custom call.
#ifndef JAXDALI_CALLS_BLOBS_CPU_HANDLER_H_
#define JAXDALI_CALLS_BLOBS_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kBlobsTarget[] = "jaxdali_blobs_v1";
inline constexpr char kBlobExtentsTarget[] = "jaxdali_blob_extents_v1";
inline constexpr char kLargestBlobsTarget[] = "jaxdali_largest_blobs_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(BlobsHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(BlobExtentsHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(LargestBlobsHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_BLOBS_CPU_HANDLER_H_
