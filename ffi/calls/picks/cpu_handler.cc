#include "calls/picks/cpu_handler.h"

#include <cstdint>
#include <limits>
#include <new>

#include "calls/picks/cpu_picks.h"
#include "handling/cpu_parts.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Flags = ffi::BufferR2<ffi::PRED>;
using Labels = ffi::BufferR2<ffi::S32>;
using Words = ffi::BufferR1<ffi::U32>;
using Places = ffi::BufferR1<ffi::S32>;

bool CanBePicked(Flags flags, Words words) {
  return words.dimensions()[0] == flags.dimensions()[0] && flags.dimensions()[1] <= std::numeric_limits<int32_t>::max();
}

ffi::Error PickedTrue(ffi::ThreadPool pool, Flags flags, Words words, ffi::Result<Places> places) noexcept {
  const int64_t samples = flags.dimensions()[0], count = flags.dimensions()[1];
  if (!CanBePicked(flags, words) || places->dimensions()[0] != samples) {
    return Wrong(kPickTrueTarget, "shapes are not flags [N, P], less than 2**31 each, words [N] and places [N]");
  }
  return RunParts(pool, samples, [&, count](int64_t sample) noexcept {
    places->typed_data()[sample] = PickTrue(flags.typed_data() + sample * count, count, words.typed_data()[sample]);
    return true;
  });
}

ffi::Error PickedLabels(ffi::ThreadPool pool, Labels labels, Flags flags, Words words,
                        ffi::Result<Labels> picked) noexcept {
  const int64_t samples = flags.dimensions()[0], count = flags.dimensions()[1];
  if (!CanBePicked(flags, words) || labels.dimensions()[0] != samples || labels.dimensions()[1] != count ||
      picked->dimensions()[0] != samples || picked->dimensions()[1] != 2) {
    return Wrong(kPickLabelTarget,
                 "shapes are not labels and flags [N, P], less than 2**31 each, words [N] and results [N, 2]");
  }
  return RunParts(pool, samples, [&, count](int64_t sample) noexcept {
    try {
      const PickedLabel found = PickLabel(labels.typed_data() + sample * count, flags.typed_data() + sample * count,
                                          count, words.typed_data()[sample]);
      picked->typed_data()[2 * sample] = found.label;
      picked->typed_data()[2 * sample + 1] = found.labels;
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  });
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(PickTrueHandler, PickedTrue,
                              ffi::Ffi::Bind().Ctx<ffi::ThreadPool>().Arg<Flags>().Arg<Words>().Ret<Places>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    PickLabelHandler, PickedLabels,
    ffi::Ffi::Bind().Ctx<ffi::ThreadPool>().Arg<Labels>().Arg<Flags>().Arg<Words>().Ret<Labels>());

}  // namespace jaxdali::cpu
