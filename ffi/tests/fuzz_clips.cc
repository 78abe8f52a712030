// A libFuzzer target: reading packed clips, whatever their bytes are. Besides what the sanitizers find, it checks that
// what a clip is said to have lies within its bytes, and that a clip is read alike again.
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "fuzzing.h"
#include "gpu_video/packed_clip.h"

namespace jaxdali::gpu {
namespace {

void CheckWithin(const uint8_t* part, uint64_t bytes, const uint8_t* data, size_t size) {
  Demand(part >= data && part <= data + size, "a part begins in its clip");
  Demand(bytes <= static_cast<uint64_t>(data + size - part), "a part ends in its clip");
}

void Check(const PackedClip& clip, const uint8_t* data, size_t size) {
  Demand(clip.frames >= 0 && clip.height > 0 && clip.width > 0, "a clip has extents");
  if (clip.pixels != nullptr) {
    CheckWithin(clip.pixels, static_cast<uint64_t>(clip.frames * clip.height * clip.width * 3), data, size);
    return;
  }
  Demand(clip.stamps.size() == static_cast<size_t>(clip.frames), "each frame has a stamp");
  Demand(clip.stored_height % 2 == 0 && clip.stored_width % 2 == 0, "chroma has half of its extents");
  Demand(clip.stored_height * clip.stored_width == clip.height * clip.width, "a frame is shown whole");
  Demand(clip.packets.empty() || clip.packets.front().begins, "the first packet begins");
  for (const ClipPacket& packet : clip.packets) CheckWithin(packet.data, packet.size, data, size);
}

}  // namespace
}  // namespace jaxdali::gpu

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Memory of exactly that size.
  const auto memory = jaxdali::PoisonedMemory(static_cast<int64_t>(size));
  if (size > 0) std::memcpy(memory.get(), data, size);
  try {
    const auto clip = jaxdali::gpu::UnpackClip(memory.get(), size);
    jaxdali::gpu::Check(clip, memory.get(), size);
    const auto again = jaxdali::gpu::UnpackClip(memory.get(), size);
    jaxdali::Demand(again.stamps == clip.stamps && again.packets.size() == clip.packets.size(), "a clip is read alike");
  } catch (const std::runtime_error&) {
  }
  return 0;
}
