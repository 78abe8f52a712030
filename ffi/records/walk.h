// Finds where the records of a file are, by going from each record's length to the next record.
#ifndef JAXDALI_RECORDS_WALK_H_
#define JAXDALI_RECORDS_WALK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jaxdali::records {

// The records that were found. A walk ends early at damaged or unusual bytes, which the caller examines.
struct Walk {
  std::vector<int64_t> places;  // each record's first byte; of tar members, first byte and size of their data
  std::string names;            // of tar members, with a zero after each
  uint64_t next = 0;            // where the next record begins
};

// All begin at byte `offset` of the file `path`, and find at most `most` records.
Walk WalkTfrecords(const std::string& path, uint64_t offset, size_t most);
// A record in several parts is listed by its first part. The walk may end after any part.
Walk WalkRecordio(const std::string& path, uint64_t offset, size_t most);
// Finds plain files, with the long names and sizes of GNU and PAX; skips links and folders.
Walk WalkTar(const std::string& path, uint64_t offset, size_t most);

// Returns the lines of an index of samples. A sample is consecutive files whose names differ only after their first
// dot; its line has "EXTENSION OFFSET SIZE NAME" for each. Files without an extension and hidden files are skipped.
// names: as many as there are `places`, with a zero after each.
// count: set to the number of lines.
std::string SampleLines(std::string_view names, const int64_t* places, size_t* count);

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_WALK_H_
