#include "jpeg/model.h"

#include <cstring>
#include <memory>

#include "jpeg/color.h"
#include "jpeg/dc.h"
#include "jpeg/extents.h"
#include "jpeg/file_header.h"
#include "jpeg/gather.h"
#include "jpeg/join.h"
#include "jpeg/lane.h"
#include "jpeg/plan.h"
#include "jpeg/prepare.h"
#include "jpeg/transform.h"
#include "jpeg/unpack.h"
#include "jpeg/walk.h"

namespace jaxdali::jpeg {
namespace {

const uint32_t* TablesOf(const Batch& batch, uint32_t lane) {
  return batch.tables + size_t{batch.set_of_lanes[lane / kLanesTogether]} * kTableWords;
}

void Write(const Batch& batch, uint32_t number) {
  Writer writer;
  if (!writer.Begin(batch, TablesOf(batch, number), number)) return;
  int16_t block[kBlockSize] = {};
  for (;;) {
    if (!writer.Step(block)) continue;
    if (writer.keeps) {
      std::memcpy(CoefficientsOf(batch, writer.block), block, sizeof(block));
      batch.dc[writer.block] = block[0];
      std::memset(block, 0, sizeof(block));
    }
    if (!writer.Next()) break;
  }
  if (!writer.is_sound) batch.verdicts[writer.picture()] = static_cast<int32_t>(Verdict::kRefused);
}

void WalkHere(const Batch& batch, const Walk& walk) {
  const ScriptScan& scan = batch.progressive.scans[walk.scan];
  const auto shared = std::make_unique<WalkShared>();
  for (uint32_t table = 0; table < scan.lookups_count; ++table) {
    shared->lookups[table] = batch.progressive.lookups[scan.lookups[table]];
  }
  WalkThrough(batch, walk, *shared);
}

void Gather(const Batch& batch, bool only_luma, const Gathering& group, uint32_t offset) {
  int16_t block[kBlockSize] = {};
  const uint32_t number = GatherBlock(batch, only_luma, group, offset, block);
  if (number == kNone) return;
  std::memcpy(CoefficientsOf(batch, number), block, sizeof(block));
}

}  // namespace

void FindBlocksHere(const Batch& batch) {
  const Team team;
  const auto unpack = std::make_unique<UnpackShared>();
  const auto starts = std::make_unique<StartsShared>();
  const auto join = std::make_unique<JoinShared>();
  const auto each = [](uint32_t count, auto run) {
    for (uint32_t number = 0; number < count; ++number) run(number);
  };
  each(batch.chunks_count, [&](uint32_t chunk) { TallyChunk(team, batch, chunk, *unpack); });
  each(batch.streams_count, [&](uint32_t stream) { StartChunks(team, batch, stream, *starts); });
  each(batch.chunks_count, [&](uint32_t chunk) { UnpackChunk(team, batch, chunk, *unpack); });
  each(batch.lanes, [&](uint32_t lane) { Speculate(batch, TablesOf(batch, lane), lane); });
  each(batch.lanes, [&](uint32_t lane) { Overflow(batch, TablesOf(batch, lane), lane); });
  each(batch.lane_chunks_count, [&](uint32_t chunk) { FindExits(team, batch, chunk, *join); });
  each(batch.lane_chunks_count, [&](uint32_t chunk) { FindOwners(team, batch, chunk, *join); });
  each(batch.lane_chunks_count, [&](uint32_t chunk) { EnterLanes(team, batch, chunk, *join); });
  each(batch.lane_chunks_count, [&](uint32_t chunk) { CountBlocks(team, batch, chunk, *join); });
  each(batch.progressive.codes_count, [&](uint32_t codes) { MakeLookup(team, batch.progressive, codes); });
  each(batch.progressive.walks_count, [&](uint32_t walk) { WalkHere(batch, batch.progressive.walks[walk]); });
}

void WriteCoefficientsHere(const Batch& batch) {
  const uint32_t first = batch.window.first_group * kLanesTogether;
  for (uint32_t lane = 0; lane < batch.window.groups * kLanesTogether; ++lane) Write(batch, first + lane);
}

void MakePixelsHere(const Batch& batch, const Coloring& coloring) {
  const Team team;
  const auto dc = std::make_unique<DcShared>();
  const Window& window = batch.window;
  for (uint32_t chunk = 0; chunk < window.dc_chunks; ++chunk) {
    SumDcOfChunk(team, batch, window.first_dc_chunk + chunk, *dc);
  }
  for (uint32_t chunk = 0; chunk < window.dc_chunks; ++chunk) SumDc(team, batch, window.first_dc_chunk + chunk, *dc);
  for (uint32_t group = 0; group < window.gatherings; ++group) {
    for (uint32_t block = 0; block < kBlocksGathered; ++block) {
      Gather(batch, coloring.is_luma, batch.progressive.gatherings[window.first_gathering + group], block);
    }
  }
  for (uint32_t block = 0; block < window.blocks; ++block) {
    TransformBlock(batch, coloring.is_luma, window.first_block + block);
  }
  for (uint32_t chunk = 0; chunk < window.run_chunks; ++chunk) {
    for (uint32_t thread = 0; thread < kRunsTogether; ++thread) {
      ColorRuns(batch, coloring, batch.run_chunks[window.first_run_chunk + chunk], thread);
    }
  }
}

std::vector<ModelImage> DecodeAsDevice(const std::vector<std::string_view>& strings, const Coloring& coloring,
                                       uint64_t most_window_bytes) {
  std::vector<ModelImage> images(strings.size());
  std::vector<Header> headers(strings.size());
  std::vector<File> files;
  std::vector<size_t> places;  // the index of each of `files` among the strings
  std::vector<uint8_t> scans;
  for (size_t index = 0; index < strings.size(); ++index) {
    const auto* const data = reinterpret_cast<const uint8_t*>(strings[index].data());
    Header& header = headers[index];
    if (!ReadHeader(data, strings[index].size(), &header)) continue;
    // A file of red, green and blue has no luma to read; the host computes it.
    if (coloring.is_luma && !header.is_ycc) continue;
    const uint64_t scan_bytes = ScanBytes(header, strings[index].size());
    // As Plan::Add does, before memory for the pixels is allocated.
    if (!IsPlausible(header, scan_bytes)) continue;
    ModelImage& image = images[index];
    image.height = header.height;
    image.width = header.width;
    image.channels = coloring.is_luma ? 1 : 3;
    const uint64_t stride = uint64_t{image.width} * image.channels;
    image.pixels.resize(image.height * stride);
    files.push_back({&header, scans.size(), scan_bytes, {image.pixels.data(), stride}});
    places.push_back(index);
    scans.insert(scans.end(), data + header.scan, data + header.scan + scan_bytes);
  }
  Plan plan;
  const std::vector<size_t> others = Prepare(files, &plan, most_window_bytes);
  const Scratch scratch = plan.MakeScratch();
  // Clears only what kernels expect to be cleared; fills the rest with a pattern, as if it were uninitialized.
  std::vector<uint8_t> descriptors(plan.DescriptorBytes()), memory(scratch.bytes, 0xA5);
  std::memset(memory.data(), 0, scratch.cleared_bytes);
  std::memset(memory.data() + scratch.segment_of_lane, 0xFF, scratch.lane_bytes);
  Batch batch = plan.Write(descriptors.data(), descriptors.data(), scans.data(), memory.data());
  FindBlocksHere(batch);
  for (const Window& window : plan.windows()) {
    batch.window = window;
    WriteCoefficientsHere(batch);
    MakePixelsHere(batch, coloring);
  }
  for (size_t index = 0, picture = 0, other = 0; index < files.size(); ++index) {
    if (other < others.size() && others[other] == index) {
      ++other;
    } else {
      images[places[index]].is_decoded = batch.verdicts[picture++] == static_cast<int32_t>(Verdict::kDecoded);
    }
  }
  return images;
}

}  // namespace jaxdali::jpeg
