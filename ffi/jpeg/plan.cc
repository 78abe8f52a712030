#include "jpeg/plan.h"

#include <algorithm>

#include "jpeg/color.h"
#include "jpeg/extents.h"

namespace jaxdali::jpeg {
namespace {

constexpr uint8_t kEndOfImage = 0xD9;

uint64_t MostLanes(uint64_t bytes, uint64_t segments) {
  // Every segment begins with a lane of its own.
  return CeilDivide<uint64_t>(bytes, kLaneWords * 4) + segments;
}

// Appends chunks of `count` items, numbered from `first` on.
void AddChunks(std::vector<Chunk>* chunks, size_t of, uint64_t first, uint64_t count, uint32_t each) {
  for (uint64_t at = 0; at < count; at += each) {
    chunks->push_back({static_cast<uint32_t>(of), static_cast<uint32_t>(first + at)});
  }
}

}  // namespace

void Plan::Begin(uint64_t most_window_bytes) {
  pictures_.clear();
  tables_.clear();
  set_of_lanes_.clear();
  picture_of_blocks_.clear();
  quantizers_.clear();
  for (std::vector<Chunk>* const chunks : {&chunks_, &lane_chunks_, &dc_chunks_, &run_chunks_}) chunks->clear();
  windows_.clear();
  streams_.clear();
  scripts_.Begin();
  most_window_bytes_ = most_window_bytes;
  lanes_ = scan_lanes_ = segments_ = blocks_ = 0;
  window_bytes_ = plane_bytes_ = most_window_blocks_ = most_plane_bytes_ = 0;
  last_set_ = kNone;
}

uint32_t Plan::AddTables(const TableSet& tables) {
  tables_.insert(tables_.end(), tables.begin(), tables.end());
  return static_cast<uint32_t>(tables_.size() / kTableWords - 1);
}

void Plan::PlacePlanes(const Header& image, Picture* picture) {
  const uint32_t mcus_down = picture->blocks / picture->blocks_of_mcu / picture->mcus_across;
  for (int component = 0; component < image.components; ++component) {
    const bool is_luma = component == 0 && image.components > 1;
    const uint32_t across = is_luma ? picture->luma_across : 1, down = is_luma ? picture->luma_down : 1;
    Plane& plane = picture->planes[component];
    plane.at = plane_bytes_;
    plane.stride = picture->mcus_across * across * kSide;
    plane.height = component == 0 ? picture->height : CeilDivide<uint32_t>(picture->height, picture->luma_down);
    plane.width = component == 0 ? picture->width : CeilDivide<uint32_t>(picture->width, picture->luma_across);
    plane_bytes_ += Aligned(uint64_t{plane.stride} * mcus_down * down * kSide, 64);
  }
}

bool Plan::AddLanes(const Header& image, const Counts& counts, uint32_t tables, uint64_t at, uint64_t scan_bytes,
                    Picture* picture) {
  picture->lanes = static_cast<uint32_t>(MostLanes(scan_bytes, counts.segments));
  if (lanes_ + scan_lanes_ + kLanesTogether + picture->lanes > kMostIndices / kLaneWords) return false;
  const uint64_t restart = image.restart_interval == 0 ? counts.mcus : image.restart_interval;
  picture->restart_blocks = static_cast<uint32_t>(restart * picture->blocks_of_mcu);
  picture->script = kNone;
  picture->first_lane = static_cast<uint32_t>(tables == last_set_ ? lanes_ : Aligned(lanes_, kLanesTogether));
  last_set_ = tables;
  lanes_ = picture->first_lane + picture->lanes;
  set_of_lanes_.resize(Aligned(lanes_, kLanesTogether) / kLanesTogether, tables);
  picture->first_lane_chunk = static_cast<uint32_t>(lane_chunks_.size());
  AddChunks(&lane_chunks_, pictures_.size(), picture->first_lane, picture->lanes, kTeam);
  picture->first_dc_chunk = static_cast<uint32_t>(dc_chunks_.size());
  AddChunks(&dc_chunks_, pictures_.size(), 0, counts.mcus, kMcusTogether);
  const auto first_chunk = static_cast<uint32_t>(chunks_.size());
  AddChunks(&chunks_, streams_.size(), 0, scan_bytes, kChunkBytes);
  streams_.push_back({at, static_cast<uint32_t>(scan_bytes), static_cast<uint32_t>(pictures_.size()), first_chunk,
                      picture->first_lane, static_cast<uint32_t>(segments_), static_cast<uint32_t>(counts.segments),
                      picture->first_block, picture->blocks, picture->restart_blocks, kEndOfImage});
  segments_ += counts.segments;
  picture->last_segment = static_cast<uint32_t>(segments_ - 1);
  return true;
}

bool Plan::AddScans(const Header& image, uint64_t at, Picture* picture) {
  uint64_t lanes = lanes_ + scan_lanes_ + kLanesTogether;
  for (const ScanHeader& scan : image.scans) {
    const uint64_t own = MostLanes(scan.bytes, CountsOf(image, scan).segments);
    // Positions in a scan have a flag beside them.
    if (own * kLaneWords * kWordBits >= kOnlyCorrections) return false;
    lanes += own;
  }
  if (lanes > kMostIndices / kLaneWords || !scripts_.HasRoomFor(image)) return false;
  const auto number = static_cast<uint32_t>(pictures_.size());
  picture->script = scripts_.Add(image, number, static_cast<uint32_t>(streams_.size()));
  for (const ScanHeader& scan : image.scans) {
    const ScanCounts counts = CountsOf(image, scan);
    const auto first_chunk = static_cast<uint32_t>(chunks_.size());
    AddChunks(&chunks_, streams_.size(), 0, scan.bytes, kChunkBytes);
    streams_.push_back({at + (scan.at - image.scan), static_cast<uint32_t>(scan.bytes), number, first_chunk,
                        static_cast<uint32_t>(scan_lanes_), static_cast<uint32_t>(segments_),
                        static_cast<uint32_t>(counts.segments), 0, static_cast<uint32_t>(counts.blocks),
                        counts.restart_blocks, scan.end});
    scan_lanes_ += MostLanes(scan.bytes, counts.segments);
    segments_ += counts.segments;
  }
  return true;
}

void Plan::MakeRoom(const Header& image) {
  const uint64_t bytes = WindowBytes(image);
  if (!windows_.empty() && window_bytes_ + bytes <= most_window_bytes_) {
    window_bytes_ += bytes;
    return;
  }
  window_bytes_ = bytes;
  plane_bytes_ = 0;
  // Windows share no block of threads.
  last_set_ = kNone;
  lanes_ = Aligned(lanes_, kLanesTogether);
  Window window = {};
  window.first_group = static_cast<uint32_t>(lanes_ / kLanesTogether);
  window.first_block = static_cast<uint32_t>(blocks_);
  window.first_dc_chunk = static_cast<uint32_t>(dc_chunks_.size());
  window.first_gathering = static_cast<uint32_t>(scripts_.gatherings_count());
  window.first_run_chunk = static_cast<uint32_t>(run_chunks_.size());
  windows_.push_back(window);
}

void Plan::ExtendWindow() {
  Window& window = windows_.back();
  window.groups = static_cast<uint32_t>(CeilDivide<uint64_t>(lanes_, kLanesTogether)) - window.first_group;
  window.blocks = static_cast<uint32_t>(blocks_) - window.first_block;
  window.dc_chunks = static_cast<uint32_t>(dc_chunks_.size()) - window.first_dc_chunk;
  window.gatherings = static_cast<uint32_t>(scripts_.gatherings_count()) - window.first_gathering;
  window.run_chunks = static_cast<uint32_t>(run_chunks_.size()) - window.first_run_chunk;
  most_window_blocks_ = std::max<uint64_t>(most_window_blocks_, window.blocks);
  most_plane_bytes_ = std::max(most_plane_bytes_, plane_bytes_);
}

bool Plan::Add(const Header& image, uint32_t tables, uint64_t at, uint64_t scan_bytes, const Target& target) {
  if (!IsPlausible(image, scan_bytes)) return false;
  const Counts counts = CountsOf(image);
  if (blocks_ + counts.blocks > kMostIndices / kBlockSize) return false;
  MakeRoom(image);
  Picture picture = {};
  picture.components = static_cast<uint8_t>(image.components);
  const Factors factors = FactorsOf(image);
  picture.luma_across = static_cast<uint8_t>(factors.across);
  picture.luma_down = static_cast<uint8_t>(factors.down);
  picture.is_ycc = image.is_ycc;
  picture.height = image.height;
  picture.width = image.width;
  picture.mcus_across = static_cast<uint32_t>(counts.mcus_across);
  picture.blocks_of_mcu = BlocksOfMcu(image);
  picture.first_block = static_cast<uint32_t>(blocks_);
  picture.blocks = static_cast<uint32_t>(counts.blocks);
  if (image.is_progressive() ? !AddScans(image, at, &picture)
                             : !AddLanes(image, counts, tables, at, scan_bytes, &picture)) {
    return false;
  }
  const auto number = static_cast<uint32_t>(pictures_.size());
  blocks_ = Aligned(blocks_ + picture.blocks, kBlocksTogether);
  picture_of_blocks_.resize(blocks_ / kBlocksTogether, number);
  picture.quantizers = static_cast<uint32_t>(quantizers_.size() / kBlockSize);
  for (int component = 0; component < image.components; ++component) {
    quantizers_.insert(quantizers_.end(), image.quantizers[component].begin(), image.quantizers[component].end());
  }
  PlacePlanes(image, &picture);
  picture.pixels = target.pixels;
  picture.pitch = target.pitch;
  const uint64_t runs = uint64_t{RunsAcross(picture.width)} * picture.height;
  AddChunks(&run_chunks_, number, 0, runs, kRunsOfGroup);
  pictures_.push_back(picture);
  ExtendWindow();
  return true;
}

size_t Plan::DescriptorBytes() const {
  return Bytes(pictures_) + Bytes(tables_) + Bytes(set_of_lanes_) + Bytes(quantizers_) + Bytes(picture_of_blocks_) +
         Bytes(chunks_) + Bytes(lane_chunks_) + Bytes(dc_chunks_) + Bytes(run_chunks_) + Bytes(streams_) +
         scripts_.DescriptorBytes();
}

Scratch Plan::MakeScratch() const {
  Layout layout;
  Scratch scratch;
  const uint64_t lanes = Aligned(lanes_, kLanesTogether);
  scratch.verdicts = layout.Add(pictures_.size() * sizeof(int32_t));
  scratch.words = layout.Add(((lanes + scan_lanes_) * kLaneWords + kWordsBehind) * sizeof(uint32_t));
  scripts_.PlaceCleared(&layout, &scratch);
  scratch.cleared_bytes = layout.used();
  scratch.segment_of_lane = layout.Add(lanes * sizeof(uint32_t));
  scratch.lane_bytes = lanes * sizeof(uint32_t);
  scratch.tallies = layout.Add(chunks_.size() * sizeof(Tally));
  scratch.chunk_starts = layout.Add(chunks_.size() * sizeof(ChunkStart));
  scratch.segments = layout.Add(segments_ * sizeof(Segment));
  scratch.checkpoints = layout.Add(lanes * kCheckpoints * sizeof(uint32_t));
  scratch.passed = layout.Add(lanes * kMostPassed * sizeof(uint32_t));
  scratch.links = layout.Add(lanes * sizeof(uint32_t));
  scratch.merged = layout.Add(lanes * sizeof(uint32_t));
  scratch.ended = layout.Add(lanes * sizeof(uint32_t));
  scratch.ended_sums = layout.Add(lane_chunks_.size() * sizeof(uint32_t));
  scratch.entries = layout.Add(lanes * sizeof(Entry));
  scratch.dc = layout.Add(blocks_ * sizeof(int32_t));
  scratch.dc_sums = layout.Add(dc_chunks_.size() * kMostComponents * sizeof(uint32_t));
  scratch.coefficients = layout.Add(most_window_blocks_ * kBlockSize * sizeof(int16_t));
  scratch.planes = layout.Add(most_plane_bytes_);
  scripts_.Place(&layout, &scratch);
  scratch.bytes = layout.used();
  return scratch;
}

Batch Plan::Write(uint8_t* to, const uint8_t* descriptors, const uint8_t* scans, uint8_t* memory) const {
  ArrayWriter writer(to, descriptors);
  const Scratch scratch = MakeScratch();
  const auto made = [memory](uint64_t at, auto* pointer) { return reinterpret_cast<decltype(pointer)>(memory + at); };
  Batch batch = {};
  batch.pictures_count = static_cast<uint32_t>(pictures_.size());
  batch.lanes = static_cast<uint32_t>(Aligned(lanes_, kLanesTogether));
  batch.chunks_count = static_cast<uint32_t>(chunks_.size());
  batch.lane_chunks_count = static_cast<uint32_t>(lane_chunks_.size());
  if (!windows_.empty()) batch.window = windows_.front();
  batch.scans = scans;
  batch.streams_count = static_cast<uint32_t>(streams_.size());
  batch.streams = writer.Put<Stream>(streams_.size(), [&](Stream* stream) {
    for (const Stream& own : streams_) {
      *stream = own;
      // Behind the lanes of files that are not progressive, whose number is known only now.
      if (pictures_[own.picture].script != kNone) stream->first_lane += batch.lanes;
      ++stream;
    }
  });
  batch.chunks = writer.Put(chunks_);
  batch.lane_chunks = writer.Put(lane_chunks_);
  batch.dc_chunks = writer.Put(dc_chunks_);
  batch.run_chunks = writer.Put(run_chunks_);
  batch.pictures = writer.Put(pictures_);
  batch.tables = writer.Put(tables_);
  batch.set_of_lanes = writer.Put(set_of_lanes_);
  batch.quantizers = writer.Put(quantizers_);
  batch.picture_of_blocks = writer.Put(picture_of_blocks_);
  batch.progressive = scripts_.Write(&writer, scratch, memory);
  batch.verdicts = made(scratch.verdicts, batch.verdicts);
  batch.words = made(scratch.words, batch.words);
  batch.tallies = made(scratch.tallies, batch.tallies);
  batch.chunk_starts = made(scratch.chunk_starts, batch.chunk_starts);
  batch.segments = made(scratch.segments, batch.segments);
  batch.segment_of_lane = made(scratch.segment_of_lane, batch.segment_of_lane);
  batch.checkpoints = made(scratch.checkpoints, batch.checkpoints);
  batch.passed = made(scratch.passed, batch.passed);
  batch.links = made(scratch.links, batch.links);
  batch.merged = made(scratch.merged, batch.merged);
  batch.ended = made(scratch.ended, batch.ended);
  batch.ended_sums = made(scratch.ended_sums, batch.ended_sums);
  batch.entries = made(scratch.entries, batch.entries);
  batch.coefficients = made(scratch.coefficients, batch.coefficients);
  batch.dc = made(scratch.dc, batch.dc);
  batch.dc_sums = made(scratch.dc_sums, batch.dc_sums);
  batch.planes = made(scratch.planes, batch.planes);
  return batch;
}

}  // namespace jaxdali::jpeg
