// Finds where the records of a file are, by going from each record's length to the next record.
#ifndef JAXDALI_RECORDS_WALK_H_
#define JAXDALI_RECORDS_WALK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jaxdali::records {

// The records found. Ends early at damaged or unusual bytes; the caller examines them.
struct Walk {
  std::vector<int64_t> places;  // of each record its first byte; of tar members, first byte and size of their data
  std::string names;            // of tar members, a zero behind each
  uint64_t next = 0;            // where the next one begins
};

// All begin at byte `offset` of the file `path`, and find at most `most` records.
Walk WalkTfrecords(const std::string& path, uint64_t offset, size_t most);
// A record in several parts is listed by its first part. The walk may end after any part.
Walk WalkRecordio(const std::string& path, uint64_t offset, size_t most);
// Plain files, with the long names and sizes of GNU and PAX; links and folders are passed.
Walk WalkTar(const std::string& path, uint64_t offset, size_t most);

// Returns the lines of an index of samples. A sample is consecutive files whose names differ only after their first
// dot; its line has "EXTENSION OFFSET SIZE NAME" for each. Files without an extension and hidden files are skipped.
// names: a zero behind each, as many as there are `places`.
// count: set to the number of lines.
std::string SampleLines(std::string_view names, const int64_t* places, size_t* count);

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_WALK_H_
