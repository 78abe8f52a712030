#include "calls/images/gpu_recipe_receiver.h"

#include <new>
#include <string>

#include "calls/images/kernels.h"
#include "gpu_decoding/memory.h"
#include "imaging/images_batch.h"

namespace jaxdali::gpu {
namespace {

constexpr size_t kCopyAlignment = 64;

size_t Rounded(size_t bytes) { return (bytes + kCopyAlignment - 1) / kCopyAlignment * kCopyAlignment; }

// The sizes in bytes of a recipe's operands.
struct RecipeBytes {
  size_t geometry, regions, instructions, constants;

  RecipeBytes(const ImageRecipe& recipe, int64_t count)
      : geometry(static_cast<size_t>(count * kGeometryFields) * sizeof(int32_t)),
        regions(static_cast<size_t>(count * kRegionFields) * sizeof(float)),
        instructions(static_cast<size_t>(recipe.program.count) * sizeof(int32_t)),
        constants(
            static_cast<size_t>((recipe.program.is_shared ? 1 : count) * recipe.program.count * recipe.program.width) *
            sizeof(float)) {}

  size_t All() const { return Rounded(geometry) + Rounded(regions) + Rounded(instructions) + Rounded(constants); }
};

// Queues a copy of an operand to `memory` and redirects the operand's pointer to it. Returns where the next copy goes.
template <typename Element>
uint8_t* Copy(const Element** operand, size_t bytes, uint8_t* memory, cudaStream_t stream) {
  if (bytes > 0) Check(cudaMemcpyAsync(memory, *operand, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
  *operand = reinterpret_cast<const Element*>(memory);
  return memory + Rounded(bytes);
}

size_t StagedBytesOf(const ImageRecipe& recipe) { return Rounded(static_cast<size_t>(recipe.result.Bytes())); }

// Returns a call with only one of a call's images.
ImagesCall CallOfOne(const ImagesCall& call, int64_t image, const int32_t* fields, uint8_t* staged) {
  ImagesCall one = call;
  one.count = 1;
  one.source.info = fields;
  for (ImageRecipe& recipe : one.recipes) {
    recipe.geometry += image * kGeometryFields;
    recipe.regions += image * kRegionFields;
    recipe.program.constants = recipe.program.ConstantsOf(image);
    recipe.program.is_shared = true;
    recipe.result.data = staged;
    staged += StagedBytesOf(recipe);
  }
  return one;
}

}  // namespace

void RecipeReceiver::Prepare(DecodeStream& decode_stream, cudaStream_t stream) {
  size_t size = 0;
  for (const ImageRecipe& recipe : call_.recipes) size += RecipeBytes(recipe, call_.count).All();
  uint8_t* memory = decode_stream.operands.Reserve(size);
  copied_ = call_;
  for (ImageRecipe& recipe : copied_.recipes) {
    const RecipeBytes bytes(recipe, call_.count);
    memory = Copy(&recipe.geometry, bytes.geometry, memory, stream);
    memory = Copy(&recipe.regions, bytes.regions, memory, stream);
    memory = Copy(&recipe.program.instructions, bytes.instructions, memory, stream);
    memory = Copy(&recipe.program.constants, bytes.constants, memory, stream);
  }
  has_copies_ = true;
  // Kernels read the statuses of their images.
  Check(cudaMemsetAsync(call_.statuses, 0, static_cast<size_t>(call_.count) * sizeof(int32_t), stream),
        "cudaMemsetAsync");
}

void RecipeReceiver::HavePrepared() {
  if (const std::string error = LoadPixelPrograms(&copied_); !error.empty()) throw InvalidOperands(error);
}

void RecipeReceiver::PrepareAhead(int32_t*, int32_t* late, cudaStream_t) { late_ = late; }

StoredPixels RecipeReceiver::Takes() const {
  if (call_.source.type != ElementType::kUint8 || call_.source.color == ImageColor::kOwn) return StoredPixels::kOther;
  return call_.source.color == ImageColor::kGray ? StoredPixels::kLuma : StoredPixels::kRgb;
}

cpu::RowResult RecipeReceiver::Examine(int64_t index, const Row& row) const {
  if (!has_copies_) return cpu::RowResult();
  return cpu::ExamineImage(copied_, index, cpu::ShownHeight(row), cpu::ShownWidth(row));
}

Spot RecipeReceiver::Place(int64_t, const Row&) const { return {nullptr, 0}; }

void RecipeReceiver::Finish(const std::vector<Arrival>& arrivals, cudaStream_t stream) const {
  std::vector<images::SourceImage> sources;
  for (const Arrival& arrival : arrivals) {
    sources.push_back(images::SourceOf(*arrival.row, arrival.pixels, call_.source.channels, arrival.index));
  }
  Check(MakeImages(images::TasksOf(call_, late_), sources, stream), "making images");
}

size_t RecipeReceiver::StagedBytes(const Row&) const {
  size_t bytes = 0;
  for (const ImageRecipe& recipe : call_.recipes) bytes += StagedBytesOf(recipe);
  return bytes;
}

cpu::RowResult RecipeReceiver::MakeOnHost(int64_t index, const Row& row, uint8_t* staged) const noexcept {
  try {
    int32_t fields[kRowFields];
    StoreRow(row, fields);
    const ImagesCall one = CallOfOne(copied_, index, fields, staged);
    return cpu::ImagesBatch(one).Make(0);
  } catch (const std::bad_alloc&) {
    cpu::RowResult result;
    result.out_of_memory = true;
    return result;
  }
}

void RecipeReceiver::Upload(int64_t index, const Row&, const uint8_t* staged, cudaStream_t stream) const {
  for (const ImageRecipe& recipe : call_.recipes) {
    const ImageResult& result = recipe.result;
    if (result.Bytes() == 0) continue;
    Check(cudaMemcpyAsync(result.data + index * result.Bytes(), staged, static_cast<size_t>(result.Bytes()),
                          cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync");
    staged += StagedBytesOf(recipe);
  }
}

void RecipeReceiver::Clear(int64_t index, cudaStream_t stream) const {
  for (const ImageRecipe& recipe : call_.recipes) {
    const ImageResult& result = recipe.result;
    if (result.Bytes() == 0) continue;
    Check(cudaMemsetAsync(result.data + index * result.Bytes(), 0, static_cast<size_t>(result.Bytes()), stream),
          "cudaMemsetAsync");
  }
}

}  // namespace jaxdali::gpu
