#include "host/available_memory.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

namespace jaxdali::host {
namespace {

constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();

uint64_t Less(uint64_t value, uint64_t taken) { return value > taken ? value - taken : 0; }
uint64_t Sum(uint64_t a, uint64_t b) { return a > kUnknown - b ? kUnknown : a + b; }

// Reads a file that contains one number. Returns nothing if there is no such file, or if it says "max".
std::optional<uint64_t> ReadNumber(const std::string& path) {
  std::ifstream file(path);
  uint64_t value;
  if (!(file >> value)) return std::nullopt;
  return value;
}

// Returns the number after `name` in a file of lines "name number ..."; 0 if there is none.
uint64_t ReadField(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    uint64_t value;
    if (words >> first >> value && first == name) return value;
  }
  return 0;
}

// mountinfo writes spaces and the like as \040.
std::string Unescape(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size()) {
      result += static_cast<char>(std::strtol(text.substr(at + 1, 3).c_str(), nullptr, 8));
      at += 3;
    } else {
      result += text[at];
    }
  }
  return result;
}

bool HasWord(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// A hierarchy of cgroups that limits memory: the folder of the outermost visible one, and the path from there to ours.
struct Place {
  std::string top;
  std::string below;  // "" or "/a/b"
  bool second;        // version 2
};

// Returns the path of the process's cgroup in the hierarchy of version 1 that has `memory`, or in that of version 2.
std::optional<std::string> CgroupPath(const std::string& root, bool second) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), next = line.find(':', first + 1);
    if (first == std::string::npos || next == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, next - first - 1);
    if (second ? controllers.empty() : HasWord(controllers, "memory")) return line.substr(next + 1);
  }
  return std::nullopt;
}

std::vector<Place> Places(const std::string& root) {
  std::vector<Place> places;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line), after(line.substr(dash + 3));
    std::string id, parent, device, mounted, point, type, source, options;
    before >> id >> parent >> device >> mounted >> point;
    after >> type >> source >> options;
    const bool second = type == "cgroup2";
    if (!second && !(type == "cgroup" && HasWord(options, "memory"))) continue;
    const std::optional<std::string> path = CgroupPath(root, second);
    if (!path) continue;
    // A container may see only a part of the hierarchy, under the path that its processes have outside.
    const std::string part = mounted == "/" ? "" : Unescape(mounted);
    std::string below = *path == "/" ? "" : *path;
    const bool inside =
        below.compare(0, part.size(), part) == 0 && (below.size() == part.size() || below[part.size()] == '/');
    below = inside ? below.substr(part.size()) : "";
    if (below.find("/..") != std::string::npos) below = "";
    places.push_back({root + Unescape(point), below, second});
  }
  return places;
}

// Returns what a cgroup has left; nothing if it has no limit.
std::optional<uint64_t> Left(const std::string& folder, bool second, uint64_t free_swap) {
  const auto limit = ReadNumber(folder + (second ? "/memory.max" : "/memory.limit_in_bytes"));
  if (!limit) return std::nullopt;
  const uint64_t used = ReadNumber(folder + (second ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
  const std::string statistics = folder + "/memory.stat", prefix = second ? "" : "total_";
  const uint64_t cached =
      Sum(ReadField(statistics, prefix + "inactive_file"), ReadField(statistics, prefix + "active_file"));
  const uint64_t kept = Less(used, cached);  // without the page cache, which can be given back
  if (second) {
    const uint64_t swap = Less(ReadNumber(folder + "/memory.swap.max").value_or(kUnknown),
                               ReadNumber(folder + "/memory.swap.current").value_or(0));
    return Sum(Less(*limit, kept), std::min(swap, free_swap));
  }
  const uint64_t memory = Sum(Less(*limit, kept), free_swap);
  const auto both = ReadNumber(folder + "/memory.memsw.limit_in_bytes");
  if (!both) return memory;
  const uint64_t taken = ReadNumber(folder + "/memory.memsw.usage_in_bytes").value_or(0);
  return std::min(memory, Less(*both, Less(taken, cached)));
}

}  // namespace

Available AvailableMemory(const std::string& root) {
  constexpr uint64_t kKilo = 1024;
  const std::string machine = root + "/proc/meminfo";
  const uint64_t swap = ReadField(machine, "SwapFree:") * kKilo;
  const uint64_t free = ReadField(machine, "MemAvailable:") * kKilo;
  Available least{free == 0 ? kUnknown : Sum(free, swap), "this machine"};
  for (const Place& place : Places(root)) {
    for (std::string below = place.below;; below.resize(below.rfind('/'))) {
      const auto left = Left(place.top + below, place.second, swap);
      if (left && *left < least.bytes) least = {*left, "the memory cgroup " + place.top + below};
      if (below.empty()) break;
    }
  }
  return least;
}

void RequireMemory(uint64_t bytes) {
  if (bytes <= kMuchMemory) return;
  const Available available = AvailableMemory("");
  // Leaves something for whoever uses the memory.
  if (Sum(bytes, kMuchMemory) <= available.bytes) return;
  throw ShortOfMemory("jaxdali: " + std::to_string(bytes) + " bytes of shared memory are needed, but " +
                      available.where + " has " + std::to_string(available.bytes) +
                      " left; lower the batch size or the prefetch depth, make samples smaller, or free memory");
}

}  // namespace jaxdali::host
