// What the host prepares for a batch: descriptors, tables, and the layout of memory.
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

// The numbers of blocks, and of segments between restart markers, that a file claims to have.
struct Counts {
  uint64_t mcus_across, mcus, blocks, segments;
};
Counts CountsOf(const Baseline& image);

// How much a sound file of `size` bytes can have after its header: anything beyond need not be on the device.
uint64_t ScanBytes(const Baseline& image, uint64_t size);

// Used by one thread. Memory is kept from batch to batch.
class Plan {
 public:
  // Starts over, with files that have this many bytes of entropy-coded data in total.
  void Begin(uint64_t scan_bytes);

  // Adds tables for the following pictures; returns their number.
  uint32_t AddTables(const TableSet& tables);

  // Adds a file, with its tables. It has `scan_bytes` of entropy-coded data, according to `ScanBytes`, at `at` of the
  // files' data on the device. False: it is not for this decoder, because there is no room for what it claims to be.
  bool Add(const Baseline& image, uint32_t tables, uint64_t at, uint64_t scan_bytes, const Target& target);

  size_t size() const { return pictures_.size(); }

  // How many bytes `Write` writes: everything that the host makes for the device.
  size_t DescriptorBytes() const;
  Scratch MakeScratch() const;

  // Writes descriptors to `to`. Returns the description of a batch whose descriptors are at `descriptors`, its
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
