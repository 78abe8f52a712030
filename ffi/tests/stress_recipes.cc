#include <unistd.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "calls/images/gpu_recipe_receiver.h"
#include "engine/engine.h"
#include "gpu_decoding/decode_stream.h"
#include "imaging/images_batch.h"
#include "recipes/recipes.h"
#include "tests/stress_cases.h"
#include "tests/stress_slots.h"

namespace jaxdali::gpu {
namespace {

constexpr int64_t kImages = 40;
constexpr int64_t kHeight = 9, kWidth = 40;

// A call of two recipes on the files of a slot: half of the image as levels, and all of it, normalised.
struct Recipes {
  std::vector<int32_t> geometries[2];
  std::vector<float> regions[2];
  std::vector<int32_t> instructions[2] = {
      {static_cast<int32_t>(InstructionKind::kSample)},
      {static_cast<int32_t>(InstructionKind::kSample), static_cast<int32_t>(InstructionKind::kAdd),
       static_cast<int32_t>(InstructionKind::kMultiply)}};
  std::vector<float> constants[2] = {{0, 0, 0}, {0, 0, 0, -120, -110, -100, 0.5f, 0.25f, 0.125f}};
  std::vector<uint8_t> results[2];
  std::vector<int32_t> statuses = std::vector<int32_t>(kImages, -1);
  ImagesCall call;

  explicit Recipes(const Slot& slot) {
    ImagesOperands operands = {0, 0, 3, 8, {0, 1}, {}, {}, {}, {}};
    operands.data = {const_cast<uint8_t*>(slot.data.data()), ElementType::kUint8, {1, kSlotBytes}};
    operands.info = {const_cast<int32_t*>(slot.fields.data()), ElementType::kInt32, {kImages, kRowFields}};
    for (int recipe = 0; recipe < 2; ++recipe) {
      Draw(recipe, slot);
      const auto count = static_cast<int64_t>(instructions[recipe].size());
      operands.recipes.push_back({geometries[recipe].data(), ElementType::kInt32, {kImages, kGeometryFields}});
      operands.recipes.push_back({regions[recipe].data(), ElementType::kFloat32, {kImages, kRegionFields}});
      operands.recipes.push_back({instructions[recipe].data(), ElementType::kInt32, {count}});
      operands.recipes.push_back({constants[recipe].data(), ElementType::kFloat32, {1, count, 3}});
      results[recipe].resize(kImages * kHeight * kWidth * 3 * (recipe == 0 ? 1 : sizeof(float)));
    }
    operands.results.push_back({results[0].data(), ElementType::kUint8, {kImages, kHeight, kWidth, 3}});
    operands.results.push_back({results[1].data(), ElementType::kFloat32, {kImages, 3, kHeight, kWidth}});
    operands.results.push_back({statuses.data(), ElementType::kInt32, {kImages}});
    Demand(LoadImagesShapes(operands, &call).empty(), "the operands are wrong");
  }

  void Draw(int recipe, const Slot& slot) {
    for (int64_t image = 0; image < kImages; ++image) {
      const Row row = LoadRow(&slot.fields[image * kRowFields]);
      const auto height = static_cast<int32_t>(cpu::ShownHeight(row) / (2 - recipe));
      const auto width = static_cast<int32_t>(cpu::ShownWidth(row));
      // The last one's window lies outside.
      const int32_t top = image == kImages - 1 ? 1000 : 0;
      const int32_t geometry[kGeometryFields] = {top, 0, height, width, 0, 1, 7, 50, -1, 5, 9, 40, 1, 0, 3, 2, 1};
      const float region[kRegionFields] = {0.0f, static_cast<float>(height), 0.0f, static_cast<float>(width)};
      geometries[recipe].insert(geometries[recipe].end(), geometry, geometry + kGeometryFields);
      regions[recipe].insert(regions[recipe].end(), region, region + kRegionFields);
    }
  }
};

// Makes a row as the host does, and puts it into the results.
Status MakeRow(const RecipeReceiver& receiver, int64_t index, const Row& row, const cpu::EncodedBytes& encoded) {
  cpu::RowResult result = cpu::CheckRow(row, encoded);
  if (result.status == Status::kOk) result = receiver.Examine(index, row);
  std::vector<uint8_t> staged(receiver.StagedBytes(row));
  if (result.status == Status::kOk) result = receiver.MakeOnHost(index, row, staged.data());
  Demand(!result.out_of_memory, "the host has no memory");
  if (result.status == Status::kOk) {
    receiver.Upload(index, row, staged.data(), nullptr);
  } else {
    receiver.Clear(index, nullptr);
  }
  return result.status;
}

}  // namespace

void RecipesOfBothSides() {
  Engine& engine = Engine::Of(0);
  std::mt19937 draws(5);
  Slot slot;
  Fill(slot, kImages, draws);
  slot.fields[(kImages - 1) * kRowFields + kStatus] = static_cast<int32_t>(Status::kOk);
  const DecodeSettings settings = {Decoder::kCuda, true};
  const JobPointer job = engine.Submit(Hold(slot), slot.fields.data(), kImages, settings);
  Demand(engine.Await(*job, 60) && engine.IsDecoded(*job), "a job is not decoded");
  Recipes ahead(slot), here(slot);
  RecipeReceiver receiver(ahead.call);
  receiver.PrepareAhead(ahead.statuses.data(), job->late, nullptr);
  std::vector<Arrival> arrivals;
  for (int64_t index = 0; index < kImages; ++index) {
    const AheadImage& image = job->images[static_cast<size_t>(index)];
    ahead.statuses[index] = static_cast<int32_t>(image.result.status);
    if (image.result.status == Status::kOk) {
      arrivals.push_back({index, &image.row, job->block->data() + image.offset});
    } else {
      receiver.Clear(index, nullptr);
    }
  }
  receiver.Finish(arrivals, nullptr);
  DecodeStream decode_stream({Decoder::kCpu, true});
  RecipeReceiver host(here.call);
  host.Prepare(decode_stream, nullptr);
  host.HavePrepared();
  for (int64_t index = 0; index < kImages; ++index) {
    const Row row = LoadRow(&slot.fields[index * kRowFields]);
    here.statuses[index] =
        static_cast<int32_t>(MakeRow(host, index, row, {slot.data.data(), static_cast<int64_t>(kSlotBytes)}));
  }
  Demand(ahead.statuses == here.statuses, "the sides find other statuses");
  Demand(ahead.statuses.back() == static_cast<int32_t>(Status::kTooLarge), "a window outside is no failure");
  Demand(job->late[kImages - 1] == ahead.statuses.back(), "a failure is not noted for later");
  for (int recipe = 0; recipe < 2; ++recipe) {
    Demand(ahead.results[recipe] == here.results[recipe], "the sides make other images");
  }
  engine.Release(*job);
  while (slot.holds != 0) usleep(100);
}

}  // namespace jaxdali::gpu
