#include "jpeg/script_plan.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/portable.h"
#include "base/warp.h"
#include "jpeg/extents.h"
#include "jpeg/tables.h"

namespace jaxdali::jpeg {
namespace {

constexpr int kMostDcBits = 11;  // of a difference of 8-bit samples, T.81 table F.1
constexpr int kMostAcBits = 10;  // of a coefficient, table F.2
constexpr int kStoredBits = 14;  // of a coefficient of 16 bits, with its sign and its corrections

// The scans of a component that have coefficients of AC, by their places in the file, in the order of levels: a scan of
// level 0 gives coefficients for the first time; another one refines what scans of the level below have given.
class Levels {
 public:
  Levels(const Header& image, uint32_t component) {
    std::array<size_t, kBlockSize> of_coefficient = {};  // one more than the level that a scan of it had
    for (uint32_t place = 0; place < image.scans.size(); ++place) {
      const ScanHeader& scan = image.scans[place];
      if (scan.first == 0 || scan.components[0] != component) continue;
      const auto begin = of_coefficient.begin() + scan.first, end = of_coefficient.begin() + scan.last + 1;
      const size_t level = *std::max_element(begin, end);
      std::fill(begin, end, level + 1);
      if (level == scans.size()) scans.emplace_back();
      scans[level].push_back(place);
    }
  }

  std::vector<std::vector<uint32_t>> scans;
};

ScanKind KindOf(const ScanHeader& scan) {
  if (scan.first == 0) return scan.high == 0 ? ScanKind::kDcFirst : ScanKind::kDcRefine;
  return scan.high == 0 ? ScanKind::kFirst : ScanKind::kRefine;
}

uint8_t MostBits(const ScanHeader& scan) {
  if (scan.first == 0) return kMostDcBits;
  return static_cast<uint8_t>(scan.high != 0 ? 1 : std::min(kMostAcBits, kStoredBits - scan.low));
}

// Fills in what a scan's MCUs consist of, and its tables.
void DescribeBlocks(const Header& image, const ScanHeader& header, uint32_t first_codes, ScriptScan* scan) {
  const auto luma = static_cast<uint32_t>(BlocksOfMcu(image) + 1 - image.components);
  for (int index = 0; index < header.components_count; ++index) {
    const uint32_t component = header.components[index], codes = first_codes + header.codes[index];
    uint32_t* const end = scan->lookups + scan->lookups_count;
    const auto table = static_cast<uint32_t>(std::find(scan->lookups, end, codes) - scan->lookups);
    if (table == scan->lookups_count) scan->lookups[scan->lookups_count++] = codes;
    const uint32_t blocks = component == 0 && header.components_count > 1 ? luma : 1;
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint32_t shift = 4 * scan->mcu_blocks++;
      scan->places |= (component == 0 ? block : luma + component - 1) << shift;
      scan->components_of |= component << shift;
      scan->tables |= table << shift;
    }
  }
}

}  // namespace

void ScriptPlan::Begin() {
  codes_.clear();
  scans_.clear();
  scripts_.clear();
  for (std::vector<Walk>& level : walks_) level.clear();
  gatherings_.clear();
  walks_count_ = starts_ = masks_ = 0;
}

bool ScriptPlan::HasRoomFor(const Header& image) const {
  uint64_t starts = starts_, walks = walks_count_;
  for (const ScanHeader& scan : image.scans) {
    const ScanCounts counts = CountsOf(image, scan);
    walks += counts.segments;
    if (scan.first != 0) starts += Aligned(counts.blocks, kWarp);
  }
  // There are fewer masks than blocks, which the plan counts.
  return starts < kMostIndices && walks < kMostIndices;
}

void ScriptPlan::AddScans(const Header& image, const std::vector<uint32_t>& places, const ScriptScan& like,
                          uint32_t stream, uint32_t level) {
  const auto first_codes = static_cast<uint32_t>(codes_.size() - image.codes.size());
  if (walks_.size() <= level) walks_.resize(level + 1);
  for (const uint32_t place : places) {
    const ScanHeader& header = image.scans[place];
    const ScanCounts counts = CountsOf(image, header);
    ScriptScan scan = like;
    scan.stream = stream + place;
    scan.kind = KindOf(header);
    scan.component = header.components[0];
    scan.components = static_cast<uint8_t>(header.components_count);
    scan.first = static_cast<uint8_t>(header.first);
    scan.last = static_cast<uint8_t>(header.last);
    scan.low = static_cast<uint8_t>(header.low);
    scan.most_bits = MostBits(header);
    DescribeBlocks(image, header, first_codes, &scan);
    scan.starts = static_cast<uint32_t>(starts_);
    if (header.first != 0) starts_ += Aligned(counts.blocks, kWarp);
    const auto number = static_cast<uint32_t>(scans_.size());
    for (uint32_t segment = 0; segment < counts.segments; ++segment) walks_[level].push_back({number, segment});
    walks_count_ += counts.segments;
    scans_.push_back(scan);
  }
}

void ScriptPlan::AddRasters(const Header& image, Script* script) {
  const auto number = static_cast<uint32_t>(scripts_.size());
  for (int component = 0; component < image.components; ++component) {
    const Raster raster = RasterOf(image, component);
    script->masks[component] = static_cast<uint32_t>(masks_);
    script->across[component] = raster.across;
    script->blocks[component] = static_cast<uint32_t>(raster.blocks);
    masks_ += Aligned(raster.blocks, kWarp);
    for (uint32_t block = 0; block < raster.blocks; block += kBlocksGathered) {
      gatherings_.push_back({number, static_cast<uint32_t>(component), block});
    }
  }
}

uint32_t ScriptPlan::Add(const Header& image, uint32_t picture, uint32_t stream) {
  for (const HuffmanSpec& spec : image.codes) {
    Codes& codes = codes_.emplace_back();
    std::memcpy(codes.counts, spec.counts.data(), sizeof(codes.counts));
    std::memcpy(codes.symbols, spec.symbols.data(), sizeof(codes.symbols));
  }
  Script script = {};
  script.picture = picture;
  ScriptScan like = {};
  like.picture = picture;
  std::vector<uint32_t> dc;
  for (uint32_t place = 0; place < image.scans.size(); ++place) {
    if (image.scans[place].first == 0) dc.push_back(place);
  }
  script.dc_scans = static_cast<uint32_t>(scans_.size());
  script.dc_scans_count = static_cast<uint32_t>(dc.size());
  AddScans(image, dc, like, stream, 0);
  for (uint32_t component = 0; component < static_cast<uint32_t>(image.components); ++component) {
    const Levels levels(image, component);
    script.scans[component] = static_cast<uint32_t>(scans_.size());
    like.awaited = like.awaited_count = 0;
    for (uint32_t level = 0; level < levels.scans.size(); ++level) {
      const auto first = static_cast<uint32_t>(scans_.size());
      AddScans(image, levels.scans[level], like, stream, level);
      like.awaited = first;
      like.awaited_count = static_cast<uint32_t>(levels.scans[level].size());
    }
    script.scans_count[component] = static_cast<uint32_t>(scans_.size()) - script.scans[component];
  }
  AddRasters(image, &script);
  scripts_.push_back(script);
  return static_cast<uint32_t>(scripts_.size() - 1);
}

uint64_t ScriptPlan::DescriptorBytes() const {
  return Bytes(codes_) + Bytes(scans_) + Bytes(scripts_) + Aligned(walks_count_ * sizeof(Walk)) + Bytes(gatherings_);
}

void ScriptPlan::PlaceCleared(Layout* layout, Scratch* scratch) const {
  scratch->masks = layout->Add(masks_ * sizeof(uint64_t));
  scratch->progress = layout->Add((scans_.size() + 1) * sizeof(uint32_t));
}

void ScriptPlan::Place(Layout* layout, Scratch* scratch) const {
  scratch->lookups = layout->Add(codes_.size() * sizeof(Lookup));
  scratch->starts = layout->Add(starts_ * sizeof(uint32_t));
}

Progressive ScriptPlan::Write(ArrayWriter* writer, const Scratch& scratch, uint8_t* memory) const {
  Progressive progressive = {};
  progressive.codes_count = static_cast<uint32_t>(codes_.size());
  progressive.scans_count = static_cast<uint32_t>(scans_.size());
  progressive.walks_count = static_cast<uint32_t>(walks_count_);
  progressive.gatherings_count = static_cast<uint32_t>(gatherings_.size());
  progressive.codes = writer->Put(codes_);
  progressive.scans = writer->Put(scans_);
  progressive.scripts = writer->Put(scripts_);
  progressive.walks = writer->Put<Walk>(walks_count_, [this](Walk* to) {
    for (const std::vector<Walk>& level : walks_) to = std::copy(level.begin(), level.end(), to);
  });
  progressive.gatherings = writer->Put(gatherings_);
  progressive.masks = reinterpret_cast<uint64_t*>(memory + scratch.masks);
  progressive.progress = reinterpret_cast<uint32_t*>(memory + scratch.progress);
  progressive.begun = progressive.progress + scans_.size();
  progressive.lookups = reinterpret_cast<Lookup*>(memory + scratch.lookups);
  progressive.starts = reinterpret_cast<uint32_t*>(memory + scratch.starts);
  return progressive;
}

}  // namespace jaxdali::jpeg
