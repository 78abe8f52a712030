#include "jpeg/plan.h"

#include <algorithm>
#include <cstring>

#include "jpeg/color.h"

namespace jaxdali::jpeg {
namespace {

// Everything that has 32-bit indices stays below this, with some margin.
constexpr uint64_t kMostIndices = uint64_t{1} << 31;
// Few enough that lanes can count bits in 32-bit numbers.
constexpr uint64_t kMostScanBytes = uint64_t{1} << 28;
// The most bytes of a block: a DC difference of 16 + 11 bits and 63 coefficients of 16 + 10, with every byte stuffed.
constexpr uint64_t kMostBlockBytes = 2 * ((16 + 11 + 63 * (16 + 10) + 7) / 8);
constexpr uint64_t kAlign = 256;
// This many long pieces keep any device busy.
constexpr uint64_t kManyLanes = 100000;

uint64_t Aligned(uint64_t size, uint64_t to = kAlign) { return (size + to - 1) / to * to; }

struct Factors {
  uint32_t across, down;
};
Factors FactorsOf(const Baseline& image) {
  constexpr Factors kFactors[] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}};
  return image.components == 1 ? Factors{1, 1} : kFactors[static_cast<int>(image.sampling)];
}

// Places arrays one after the other.
class Layout {
 public:
  uint64_t Add(uint64_t bytes) {
    const uint64_t at = used_;
    used_ = Aligned(used_ + bytes);
    return at;
  }
  uint64_t used() const { return used_; }

 private:
  uint64_t used_ = 0;
};

template <typename Item>
uint64_t Bytes(const std::vector<Item>& items) {
  return Aligned(items.size() * sizeof(Item));
}

}  // namespace

Counts CountsOf(const Baseline& image) {
  const Factors factors = FactorsOf(image);
  Counts counts;
  counts.mcus_across = CeilDivide<uint32_t>(image.width, factors.across * kSide);
  counts.mcus = counts.mcus_across * CeilDivide<uint32_t>(image.height, factors.down * kSide);
  counts.blocks = counts.mcus * BlocksOfMcu(image);
  counts.segments = image.restart_interval == 0 ? 1 : CeilDivide<uint64_t>(counts.mcus, image.restart_interval);
  return counts;
}

uint64_t ScanBytes(const Baseline& image, uint64_t size) {
  const Counts counts = CountsOf(image);
  // In addition to blocks, a segment has a restart marker and the bits that fill the byte before it; 16 for the end.
  const uint64_t most = counts.blocks * kMostBlockBytes + counts.segments * 4 + 16;
  return std::min(size - std::min<uint64_t>(size, image.scan), most);
}

void Plan::Begin(uint64_t scan_bytes) {
  pictures_.clear();
  tables_.clear();
  set_of_lanes_.clear();
  picture_of_blocks_.clear();
  quantizers_.clear();
  run_groups_.clear();
  lane_words_ = scan_bytes / (kLongLaneWords * 4) < kManyLanes ? kShortLaneWords : kLongLaneWords;
  lanes_ = segments_ = blocks_ = plane_bytes_ = 0;
  last_set_ = kNone;
}

uint32_t Plan::AddTables(const TableSet& tables) {
  tables_.insert(tables_.end(), tables.begin(), tables.end());
  return static_cast<uint32_t>(tables_.size() / kTableWords - 1);
}

void Plan::PlacePlanes(const Baseline& image, Picture* picture) {
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

bool Plan::Add(const Baseline& image, uint32_t tables, uint64_t at, uint64_t scan_bytes, const Target& target) {
  const Counts counts = CountsOf(image);
  // Each block has at least two codes of at least one bit. This also keeps small files from requesting much memory.
  if (scan_bytes >= kMostScanBytes || counts.blocks * 2 > scan_bytes * 8) return false;
  Picture picture = {};
  picture.scan = at;
  picture.scan_bytes = static_cast<uint32_t>(scan_bytes);
  picture.components = static_cast<uint8_t>(image.components);
  const Factors factors = FactorsOf(image);
  picture.luma_across = static_cast<uint8_t>(factors.across);
  picture.luma_down = static_cast<uint8_t>(factors.down);
  picture.is_ycc = image.is_ycc;
  picture.height = image.height;
  picture.width = image.width;
  picture.mcus_across = static_cast<uint32_t>(counts.mcus_across);
  picture.blocks_of_mcu = BlocksOfMcu(image);
  picture.blocks = static_cast<uint32_t>(counts.blocks);
  const uint64_t restart = image.restart_interval == 0 ? counts.mcus : image.restart_interval;
  picture.restart_blocks = static_cast<uint32_t>(restart * picture.blocks_of_mcu);
  picture.segments = static_cast<uint32_t>(counts.segments);
  // Every segment begins with a lane of its own.
  picture.lanes = CeilDivide<uint32_t>(picture.scan_bytes, lane_words_ * 4) + picture.segments;
  if (lanes_ + kLanesTogether + picture.lanes > kMostIndices / kLongLaneWords) return false;
  if (blocks_ + picture.blocks > kMostIndices / kBlockSize) return false;

  const auto number = static_cast<uint32_t>(pictures_.size());
  picture.first_lane = static_cast<uint32_t>(tables == last_set_ ? lanes_ : Aligned(lanes_, kLanesTogether));
  last_set_ = tables;
  lanes_ = picture.first_lane + picture.lanes;
  set_of_lanes_.resize(Aligned(lanes_, kLanesTogether) / kLanesTogether, tables);
  picture.first_segment = static_cast<uint32_t>(segments_);
  segments_ += picture.segments;
  picture.first_block = static_cast<uint32_t>(blocks_);
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
  for (uint64_t run = 0; run < runs; run += kRunsTogether) run_groups_.push_back({number, static_cast<uint32_t>(run)});
  pictures_.push_back(picture);
  return true;
}

size_t Plan::DescriptorBytes() const {
  return Bytes(pictures_) + Bytes(tables_) + Bytes(set_of_lanes_) + Bytes(quantizers_) + Bytes(picture_of_blocks_) +
         Bytes(run_groups_);
}

Scratch Plan::MakeScratch() const {
  Layout layout;
  Scratch scratch;
  const uint64_t lanes = Aligned(lanes_, kLanesTogether);
  scratch.verdicts = layout.Add(pictures_.size() * sizeof(int32_t));
  scratch.words = layout.Add((lanes * lane_words_ + kWordsBehind) * sizeof(uint32_t));
  scratch.cleared_bytes = layout.used();
  scratch.segment_of_lane = layout.Add(lanes * sizeof(uint32_t));
  scratch.lane_bytes = lanes * sizeof(uint32_t);
  scratch.segments = layout.Add(segments_ * sizeof(Segment));
  scratch.checkpoints = layout.Add(lanes * kCheckpoints * sizeof(uint32_t));
  scratch.passed = layout.Add(lanes * (kMostPassedWords / lane_words_) * sizeof(uint32_t));
  scratch.links = layout.Add(lanes * sizeof(uint32_t));
  scratch.merged = layout.Add(lanes * sizeof(uint32_t));
  scratch.entries = layout.Add(lanes * sizeof(Entry));
  scratch.coefficients = layout.Add(blocks_ * kBlockSize * sizeof(int16_t));
  scratch.dc = layout.Add(blocks_ * sizeof(int32_t));
  scratch.planes = layout.Add(plane_bytes_);
  scratch.bytes = layout.used();
  return scratch;
}

Batch Plan::Write(uint8_t* to, const uint8_t* descriptors, const uint8_t* scans, uint8_t* memory) const {
  Layout layout;
  const auto put = [&](const auto& items) {
    using Item = typename std::decay_t<decltype(items)>::value_type;
    const uint64_t at = layout.Add(items.size() * sizeof(Item));
    if (!items.empty()) std::memcpy(to + at, items.data(), items.size() * sizeof(Item));
    return reinterpret_cast<const Item*>(descriptors + at);
  };
  const Scratch scratch = MakeScratch();
  const auto made = [memory](uint64_t at, auto* pointer) { return reinterpret_cast<decltype(pointer)>(memory + at); };
  Batch batch = {};
  batch.lane_words = lane_words_;
  batch.checkpoint_words = lane_words_ / kCheckpoints;
  batch.most_passed = kMostPassedWords / lane_words_;
  batch.pictures_count = static_cast<uint32_t>(pictures_.size());
  batch.lanes = static_cast<uint32_t>(Aligned(lanes_, kLanesTogether));
  batch.blocks = static_cast<uint32_t>(blocks_);
  batch.run_groups_count = static_cast<uint32_t>(run_groups_.size());
  batch.scans = scans;
  batch.pictures = put(pictures_);
  batch.tables = put(tables_);
  batch.set_of_lanes = put(set_of_lanes_);
  batch.quantizers = put(quantizers_);
  batch.picture_of_blocks = put(picture_of_blocks_);
  batch.run_groups = put(run_groups_);
  batch.verdicts = made(scratch.verdicts, batch.verdicts);
  batch.words = made(scratch.words, batch.words);
  batch.segments = made(scratch.segments, batch.segments);
  batch.segment_of_lane = made(scratch.segment_of_lane, batch.segment_of_lane);
  batch.checkpoints = made(scratch.checkpoints, batch.checkpoints);
  batch.passed = made(scratch.passed, batch.passed);
  batch.links = made(scratch.links, batch.links);
  batch.merged = made(scratch.merged, batch.merged);
  batch.entries = made(scratch.entries, batch.entries);
  batch.coefficients = made(scratch.coefficients, batch.coefficients);
  batch.dc = made(scratch.dc, batch.dc);
  batch.planes = made(scratch.planes, batch.planes);
  return batch;
}

}  // namespace jaxdali::jpeg
