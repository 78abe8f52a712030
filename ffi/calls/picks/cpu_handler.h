// Custom calls that pick one element of a mask, for the CPU platform only: there, XLA's own code for sums over flags,
// and for sorting labels, is many times slower. On other platforms it is as fast as a custom call.
#ifndef JAXDALI_CALLS_PICKS_CPU_HANDLER_H_
#define JAXDALI_CALLS_PICKS_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kPickTrueTarget[] = "jaxdali_pick_true_v1";
inline constexpr char kPickLabelTarget[] = "jaxdali_pick_label_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(PickTrueHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(PickLabelHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_PICKS_CPU_HANDLER_H_
