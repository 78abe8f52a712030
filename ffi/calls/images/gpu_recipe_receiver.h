// Makes the recipes of a call from decoded files.
#ifndef JAXDALI_CALLS_IMAGES_GPU_RECIPE_RECEIVER_H_
#define JAXDALI_CALLS_IMAGES_GPU_RECIPE_RECEIVER_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "handling/gpu_batch_run.h"
#include "recipes/images_call.h"

namespace jaxdali::gpu {

class RecipeReceiver : public PixelReceiver {
 public:
  // What `call` points to is on the device, except the files. Types and shapes have been checked.
  explicit RecipeReceiver(const ImagesCall& call) : call_(call) {}

  // Copies the operands to the host, which examines the recipes and needs all operands to make a row itself.
  void Prepare(DecodeStream& decode_stream, cudaStream_t stream) override;
  void HavePrepared() override;
  // The kernels examine the recipes.
  void PrepareAhead(int32_t* statuses, int32_t* late, cudaStream_t stream) override;
  StoredPixels Takes() const override;
  bool ReadsOperands() const override { return true; }
  cpu::RowResult Examine(int64_t index, const Row& row) const override;

  Spot Place(int64_t index, const Row& row) const override;
  void Finish(const std::vector<Arrival>& arrivals, cudaStream_t stream) const override;

  size_t StagedBytes(const Row& row) const override;
  cpu::RowResult MakeOnHost(int64_t index, const Row& row, uint8_t* staged) const noexcept override;
  void Upload(int64_t index, const Row& row, const uint8_t* staged, cudaStream_t stream) const override;
  void Clear(int64_t index, cudaStream_t stream) const override;

 private:
  const ImagesCall& call_;
  ImagesCall copied_;  // the same with operands copied to the host, if has_copies_
  bool has_copies_ = false;
  int32_t* late_ = nullptr;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_IMAGES_GPU_RECIPE_RECEIVER_H_
