// Where the records of a file are, found by going from one's length to the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jaxdali::records {

// What damaged or unusual bytes end early, and the caller looks at them.
struct Walk {
  std::vector<int64_t> places;  // of each record its first byte; of tar members, first byte and size of their data
  std::string names;            // of tar members, a zero behind each
  uint64_t next = 0;            // where the next one begins
};

// All begin at byte `offset` of the file `path` and find `most` records at most.
Walk WalkTfrecords(const std::string& path, uint64_t offset, size_t most);
// Of records in several parts the first part's place; also other parts may be the last that was passed.
Walk WalkRecordio(const std::string& path, uint64_t offset, size_t most);
// Plain files, with the long names and sizes of GNU and PAX; links and folders are passed.
Walk WalkTar(const std::string& path, uint64_t offset, size_t most);

// Lines of an index of samples, which are files in a row whose names differ behind their first dot only: of each
// "EXTENSION OFFSET SIZE NAME". Files without an extension, or hidden ones, are none.
// names: a zero behind each, of as many as there are `places`.
// count: how many lines.
std::string SampleLines(std::string_view names, const int64_t* places, size_t* count);

}  // namespace jaxdali::records
