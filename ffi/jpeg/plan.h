// What the host prepares for a batch: descriptors, tables, and where everything lies.
#ifndef JAXDALI_JPEG_PLAN_H_
#define JAXDALI_JPEG_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jpeg/baseline.h"
#include "jpeg/batch.h"
#include "jpeg/tables.h"

namespace jaxdali::jpeg {

// Where pixels go: the first of them, and bytes from row to row.
struct Target {
  uint8_t* pixels;
  uint64_t pitch;
};

// Blocks, and segments between restart markers, that a file is said to have.
struct Counts {
  uint64_t mcus_across, mcus, blocks, segments;
};
Counts CountsOf(const Baseline& image);

// How much a sound file of `size` bytes can have behind its header: whatever else there is need not be on the device.
uint64_t ScanBytes(const Baseline& image, uint64_t size);

// Used by one thread. What it holds is kept from batch to batch.
class Plan {
 public:
  // Begins anew, with files that have so many bytes of entropy-coded data in all.
  void Begin(uint64_t scan_bytes);

  // Adds tables, for pictures that follow; their number.
  uint32_t AddTables(const TableSet& tables);

  // Adds a file, with its tables: `scan_bytes` of entropy-coded data, as `ScanBytes` says, at `at` of what the device
  // has of files. False: it is not for this decoder, there being no room for what it says it is.
  bool Add(const Baseline& image, uint32_t tables, uint64_t at, uint64_t scan_bytes, const Target& target);

  size_t size() const { return pictures_.size(); }

  // Bytes that `Write` writes: all that the host makes for the device.
  size_t DescriptorBytes() const;
  Scratch MakeScratch() const;

  // Puts descriptors at `to`, and says what a batch looks like whose descriptors are at `descriptors`, its
  // entropy-coded data at `scans` and its scratch memory at `memory`, wherever these are.
  Batch Write(uint8_t* to, const uint8_t* descriptors, const uint8_t* scans, uint8_t* memory) const;

 private:
  void PlacePlanes(const Baseline& image, Picture* picture);

  std::vector<Picture> pictures_;
  std::vector<uint32_t> tables_, set_of_lanes_, picture_of_blocks_;
  std::vector<uint16_t> quantizers_;
  std::vector<RunGroup> run_groups_;
  uint32_t lane_words_ = kLongLaneWords;
  uint64_t lanes_ = 0, segments_ = 0, blocks_ = 0, plane_bytes_ = 0;
  uint32_t last_set_ = kNone;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_PLAN_H_
