// Custom calls that pick one of what a mask has, on the CPU platform alone: what XLA compiles there for sums over
// flags, and for labels that are sorted, is many times slower. Elsewhere it is as fast as any.
#ifndef JAXDALI_CPU_PICK_HANDLERS_H_
#define JAXDALI_CPU_PICK_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kPickTrueTarget[] = "jaxdali_pick_true_v1";
inline constexpr char kPickLabelTarget[] = "jaxdali_pick_label_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(PickTrueHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(PickLabelHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_PICK_HANDLERS_H_
