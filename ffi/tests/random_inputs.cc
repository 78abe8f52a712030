// The main function of a fuzz target where libFuzzer is missing: `TARGET SECONDS FOLDER...` feeds it the files of the
// folders, unchanged and damaged at random. It does not search for new paths, so it finds less than libFuzzer; what it
// finds is just as wrong.
//
// The current input is in the file "input" of the working directory: it is the culprit if a sanitizer ends the process.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kLongest = 8192;

// Shared with the file, so that the file holds what the process died of, without a system call for each input.
class Record {
 public:
  explicit Record(const char* path) : file_(open(path, O_RDWR | O_CREAT | O_TRUNC, 0644)) {
    if (file_ < 0 || ftruncate(file_, kLongest) != 0) Fail(path);
    memory_ = mmap(nullptr, kLongest, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory_ == MAP_FAILED) Fail(path);
  }
  void Write(const Bytes& input) {
    std::memset(memory_, 0, kLongest);
    std::copy(input.begin(), input.end(), static_cast<uint8_t*>(memory_));
  }

 private:
  static void Fail(const char* path) {
    std::perror(path);
    std::exit(2);
  }
  int file_;
  void* memory_ = nullptr;
};

std::vector<Bytes> ReadAll(int folders, char** names) {
  std::vector<Bytes> found;
  for (int k = 0; k < folders; ++k) {
    for (const auto& entry : std::filesystem::directory_iterator(names[k])) {
      std::ifstream stream(entry.path(), std::ios::binary);
      Bytes bytes{std::istreambuf_iterator<char>(stream), {}};
      if (!bytes.empty() && bytes.size() <= kLongest) found.push_back(std::move(bytes));
    }
  }
  std::sort(found.begin(), found.end());  // the same order everywhere
  return found;
}

// Makes one change: flips a bit, writes a byte that means something in headers, overwrites a stretch with random bytes,
// removes or repeats a stretch, or cuts off the end.
void Damage(Bytes& bytes, std::mt19937& chance) {
  constexpr uint8_t kTelling[] = {0x00, 0x01, 0x7F, 0x80, 0xC0, 0xC2, 0xC4, 0xD0,
                                  0xD8, 0xD9, 0xDA, 0xDB, 0xDD, 0xE1, 0xFF};
  const size_t at = chance() % bytes.size();
  const size_t length = std::min<size_t>(1 + chance() % 32, bytes.size() - at);
  switch (chance() % 6) {
    case 0:
      bytes[at] ^= static_cast<uint8_t>(1 << chance() % 8);
      break;
    case 1:
      bytes[at] = kTelling[chance() % sizeof(kTelling)];
      break;
    case 2:
      for (size_t k = 0; k < length; ++k) bytes[at + k] = static_cast<uint8_t>(chance());
      break;
    case 3:
      if (bytes.size() > length) bytes.erase(bytes.begin() + at, bytes.begin() + at + length);
      break;
    case 4:
      if (bytes.size() + length <= kLongest) {
        const Bytes part(bytes.begin() + at, bytes.begin() + at + length);
        bytes.insert(bytes.begin() + at, part.begin(), part.end());
      }
      break;
    default:
      bytes.resize(at + 1);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s SECONDS FOLDER...\n", arguments[0]);
    return 2;
  }
  const std::vector<Bytes> seeds = ReadAll(count - 2, arguments + 2);
  if (seeds.empty()) {
    std::fprintf(stderr, "no files to begin with\n");
    return 2;
  }
  Record record("input");
  std::mt19937 chance(1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(arguments[1]));
  size_t runs = 0;
  for (; runs < seeds.size() || std::chrono::steady_clock::now() < end; ++runs) {
    Bytes input = seeds[runs % seeds.size()];
    const size_t changes = runs < seeds.size() ? 0 : 1 + chance() % 6;
    for (size_t k = 0; k < changes; ++k) Damage(input, chance);
    record.Write(input);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("stat::number_of_executed_units: %zu\n", runs);
  return 0;
}
