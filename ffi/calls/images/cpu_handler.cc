#include "calls/images/cpu_handler.h"

#include <exception>
#include <new>
#include <string>

#include "base/shared_work.h"
#include "calls/images/operands.h"
#include "handling/huge_pages.h"
#include "handling/row_failures.h"
#include "imaging/images_batch.h"

namespace jaxdali::cpu {
namespace {

ffi::Error MakeImages(ffi::ThreadPool pool, int32_t device, const ImagesAttributes& attributes, ffi::AnyBuffer data,
                      ffi::AnyBuffer info, ffi::RemainingArgs recipes, ffi::RemainingRets results) {
  ImagesCall call;
  if (ffi::Error error = LoadImagesOperands(attributes, data, info, recipes, results, &call); error.failure()) {
    return error;
  }
  if (const std::string error = LoadPixelPrograms(&call); !error.empty()) return ImagesError(error);
  for (const ImageRecipe& recipe : call.recipes) {
    PreferHugePages(recipe.result.data, call.count * recipe.result.Bytes());
  }
  ImagesBatch batch(call);
  RowFailures failures;
  auto make_one = [&](int64_t image) noexcept { failures.Note(image, batch.Make(image), call.statuses + image); };
  RunShared(pool, call.count, attributes.threads, make_one, {attributes.affinity.begin(), attributes.affinity.size()});
  return failures.Judge(kImagesTarget, attributes.raise_on_error, call.count, device);
}

// No exception may reach XLA.
ffi::Error Images(ffi::ThreadPool pool, int32_t device, ImagesAttributes attributes, ffi::AnyBuffer data,
                  ffi::AnyBuffer info, ffi::RemainingArgs recipes, ffi::RemainingRets results) noexcept {
  try {
    return MakeImages(pool, device, attributes, data, info, recipes, results);
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(error.what());
  }
}

}  // namespace

// No traits, as in calls/decode/cpu_handler.cc: a recorded call would replay the rows of the first call.
XLA_FFI_DEFINE_HANDLER_SYMBOL(ImagesHandler, Images,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<ImagesAttributes>()
                                  .Arg<ffi::AnyBuffer>()  // files uint8[1, capacity], or a canvas [N, H, W, C]
                                  .Arg<ffi::AnyBuffer>()  // rows int32[N, 8], or shapes int32[N, 3]
                                  .RemainingArgs()        // for each recipe: geometry, regions, steps, constants
                                  .RemainingRets());      // for each recipe: its images; then status int32[N]

}  // namespace jaxdali::cpu
