#include "base/team.h"
#include "base/warp.h"
#include "jpeg/color.h"
#include "jpeg/dc.h"
#include "jpeg/gather.h"
#include "jpeg/join.h"
#include "jpeg/kernels.h"
#include "jpeg/lane.h"
#include "jpeg/lookup.h"
#include "jpeg/transform.h"
#include "jpeg/unpack.h"
#include "jpeg/walk.h"

namespace jaxdali::gpu {
namespace {

using jpeg::Batch;

// A block's coefficients as pieces of 16 bytes.
constexpr uint32_t kPieces = jpeg::kBlockSize * sizeof(int16_t) / sizeof(uint4);
// Slots are one piece longer than blocks, so that threads that write the same position of their blocks use different
// banks.
constexpr uint32_t kSlotPieces = kPieces + 1;

__global__ void __launch_bounds__(kTeam) TallyKernel(Batch batch) {
  __shared__ jpeg::UnpackShared shared;
  TallyChunk(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) StartKernel(Batch batch) {
  __shared__ jpeg::StartsShared shared;
  StartChunks(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) UnpackKernel(Batch batch) {
  __shared__ jpeg::UnpackShared shared;
  UnpackChunk(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) ExitsKernel(Batch batch) {
  __shared__ jpeg::JoinShared shared;
  FindExits(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) OwnersKernel(Batch batch) {
  __shared__ jpeg::JoinShared shared;
  FindOwners(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) EnterKernel(Batch batch) {
  __shared__ jpeg::JoinShared shared;
  EnterLanes(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) CountKernel(Batch batch) {
  __shared__ jpeg::JoinShared shared;
  CountBlocks(Team(), batch, blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) SumDcOfChunkKernel(Batch batch) {
  __shared__ jpeg::DcShared shared;
  SumDcOfChunk(Team(), batch, batch.window.first_dc_chunk + blockIdx.x, shared);
}

__global__ void __launch_bounds__(kTeam) SumDcKernel(Batch batch) {
  __shared__ jpeg::DcShared shared;
  SumDc(Team(), batch, batch.window.first_dc_chunk + blockIdx.x, shared);
}

// Loads the tables for a group of lanes, which is that of this block of threads.
__device__ void LoadTables(const Batch& batch, uint32_t group, uint32_t* tables) {
  const uint32_t* const from = batch.tables + static_cast<size_t>(batch.set_of_lanes[group]) * jpeg::kTableWords;
  for (uint32_t index = threadIdx.x; index < jpeg::kTableWords / 4; index += jpeg::kLanesTogether) {
    reinterpret_cast<uint4*>(tables)[index] = __ldg(reinterpret_cast<const uint4*>(from) + index);
  }
  __syncthreads();
}

__global__ void __launch_bounds__(jpeg::kLanesTogether) SpeculateKernel(Batch batch) {
  __shared__ __align__(16) uint32_t tables[jpeg::kTableWords];
  LoadTables(batch, blockIdx.x, tables);
  Speculate(batch, tables, blockIdx.x * jpeg::kLanesTogether + threadIdx.x);
}

__global__ void __launch_bounds__(jpeg::kLanesTogether) OverflowKernel(Batch batch) {
  __shared__ __align__(16) uint32_t tables[jpeg::kTableWords];
  LoadTables(batch, blockIdx.x, tables);
  Overflow(batch, tables, blockIdx.x * jpeg::kLanesTogether + threadIdx.x);
}

__device__ uint32_t WithoutFirst(uint32_t lanes) { return lanes & (lanes - 1); }

// Copies the blocks that some lanes of a warp (`lanes`) hold from their slots to memory, four at a time, and clears the
// slots. All lanes of the warp work together; `block` is this lane's block.
__device__ void CarryBlocks(const Batch& batch, uint32_t lanes, uint32_t block, uint4* slots) {
  const uint32_t lane = threadIdx.x % kWarp, piece = lane % kPieces, turn = lane / kPieces;
  while (lanes != 0) {
    const uint32_t second = WithoutFirst(lanes), third = WithoutFirst(second), fourth = WithoutFirst(third);
    const uint32_t mine = turn < 2 ? (turn == 0 ? lanes : second) : (turn == 2 ? third : fourth);
    lanes = WithoutFirst(fourth);
    const uint32_t holder = __ffs(static_cast<int>(mine)) - 1;
    const uint32_t number = __shfl_sync(kWholeWarp, block, static_cast<int>(holder));
    if (mine == 0) continue;
    uint4* const slot = slots + holder * kSlotPieces + piece;
    const uint4 value = *slot;
    *slot = make_uint4(0, 0, 0, 0);
    reinterpret_cast<uint4*>(CoefficientsOf(batch, number))[piece] = value;
    if (piece == 0) batch.dc[number] = static_cast<int16_t>(value.x);
  }
}

__global__ void __launch_bounds__(jpeg::kLanesTogether) WriteKernel(Batch batch) {
  __shared__ __align__(16) uint32_t tables[jpeg::kTableWords];
  __shared__ uint4 slots[jpeg::kLanesTogether * kSlotPieces];
  for (uint32_t index = threadIdx.x; index < jpeg::kLanesTogether * kSlotPieces; index += jpeg::kLanesTogether) {
    slots[index] = make_uint4(0, 0, 0, 0);
  }
  const uint32_t group = batch.window.first_group + blockIdx.x;
  LoadTables(batch, group, tables);
  uint4* const of_warp = slots + threadIdx.x / kWarp * kWarp * kSlotPieces;
  auto* const own = reinterpret_cast<int16_t*>(slots + threadIdx.x * kSlotPieces);
  jpeg::Writer writer;
  bool works = writer.Begin(batch, tables, group * jpeg::kLanesTogether + threadIdx.x);
  const bool began = works;
  while (__any_sync(kWholeWarp, works)) {
    // Steps until some lane reaches the end of a block.
    bool ends;
    do {
      ends = works && writer.Step(own);
    } while (!__any_sync(kWholeWarp, ends));
    const uint32_t holders = __ballot_sync(kWholeWarp, ends && writer.keeps);
    if (holders != 0) {
      __syncwarp();
      CarryBlocks(batch, holders, writer.block, of_warp);
      __syncwarp();
    }
    if (ends) works = writer.Next();
  }
  if (began && !writer.is_sound) batch.verdicts[writer.picture()] = static_cast<int32_t>(jpeg::Verdict::kRefused);
}

__global__ void __launch_bounds__(kTeam) MakeLookupKernel(jpeg::Progressive progressive) {
  MakeLookup(Team(), progressive, blockIdx.x);
}

// A block of one warp takes the next walk. Those that it may wait for have begun, so they end.
__global__ void __launch_bounds__(kWarp) WalkKernel(Batch batch) {
  constexpr uint32_t kLookupPieces = sizeof(jpeg::Lookup) / sizeof(uint4);
  __shared__ jpeg::WalkShared shared;
  const jpeg::Progressive& progressive = batch.progressive;
  uint32_t turn = 0;
  if (threadIdx.x == 0) turn = atomicAdd(progressive.begun, 1);
  const jpeg::Walk walk = progressive.walks[OfFirstLane(turn)];
  const jpeg::ScriptScan& scan = progressive.scans[walk.scan];
  for (uint32_t table = 0; table < scan.lookups_count; ++table) {
    const auto* const from = reinterpret_cast<const uint4*>(progressive.lookups + scan.lookups[table]);
    auto* const to = reinterpret_cast<uint4*>(shared.lookups + table);
    for (uint32_t piece = threadIdx.x; piece < kLookupPieces; piece += kWarp) to[piece] = __ldg(from + piece);
  }
  __syncwarp();
  WalkThrough(batch, walk, shared);
}

__global__ void __launch_bounds__(jpeg::kBlocksGathered) GatherKernel(Batch batch, bool only_luma) {
  __shared__ uint4 slots[jpeg::kBlocksGathered * kSlotPieces];
  __shared__ uint32_t numbers[jpeg::kBlocksGathered];
  uint4* const own = slots + threadIdx.x * kSlotPieces;
  for (uint32_t piece = 0; piece < kPieces; ++piece) own[piece] = make_uint4(0, 0, 0, 0);
  const jpeg::Gathering group = batch.progressive.gatherings[batch.window.first_gathering + blockIdx.x];
  numbers[threadIdx.x] = GatherBlock(batch, only_luma, group, threadIdx.x, reinterpret_cast<int16_t*>(own));
  __syncthreads();
  for (uint32_t index = threadIdx.x; index < jpeg::kBlocksGathered * kPieces; index += jpeg::kBlocksGathered) {
    const uint32_t holder = index / kPieces, piece = index % kPieces, number = numbers[holder];
    if (number == jpeg::kNone) continue;
    reinterpret_cast<uint4*>(CoefficientsOf(batch, number))[piece] = slots[holder * kSlotPieces + piece];
  }
}

__global__ void __launch_bounds__(jpeg::kBlocksTogether, 5) TransformKernel(Batch batch, bool only_luma) {
  TransformBlock(batch, only_luma, batch.window.first_block + blockIdx.x * jpeg::kBlocksTogether + threadIdx.x);
}

__global__ void __launch_bounds__(jpeg::kRunsTogether) ColorKernel(Batch batch, jpeg::Coloring coloring) {
  ColorRuns(batch, coloring, batch.run_chunks[batch.window.first_run_chunk + blockIdx.x], threadIdx.x);
}

void ReadScans(const Batch& batch, cudaStream_t stream) {
  MakeLookupKernel<<<batch.progressive.codes_count, kTeam, 0, stream>>>(batch.progressive);
  WalkKernel<<<batch.progressive.walks_count, kWarp, 0, stream>>>(batch);
}

void JoinLanes(const Batch& batch, cudaStream_t stream) {
  const uint32_t groups = batch.lanes / jpeg::kLanesTogether;
  SpeculateKernel<<<groups, jpeg::kLanesTogether, 0, stream>>>(batch);
  OverflowKernel<<<groups, jpeg::kLanesTogether, 0, stream>>>(batch);
  ExitsKernel<<<batch.lane_chunks_count, kTeam, 0, stream>>>(batch);
  OwnersKernel<<<batch.lane_chunks_count, kTeam, 0, stream>>>(batch);
  EnterKernel<<<batch.lane_chunks_count, kTeam, 0, stream>>>(batch);
  CountKernel<<<batch.lane_chunks_count, kTeam, 0, stream>>>(batch);
}

// Whether scans are read on a stream of their own: that takes long, and leaves room for others.
bool ReadsBeside(const Batch& batch) { return batch.progressive.walks_count != 0 && batch.lanes != 0; }

}  // namespace

cudaError_t FindBlocks(const Batch& batch, const ReadingStreams& streams) {
  TallyKernel<<<batch.chunks_count, kTeam, 0, streams.own>>>(batch);
  StartKernel<<<batch.streams_count, kTeam, 0, streams.own>>>(batch);
  UnpackKernel<<<batch.chunks_count, kTeam, 0, streams.own>>>(batch);
  if (ReadsBeside(batch)) {
    cudaError_t error = cudaEventRecord(streams.forked, streams.own);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(streams.beside, streams.forked, 0);
    if (error != cudaSuccess) return error;
    ReadScans(batch, streams.beside);
    error = cudaEventRecord(streams.joined, streams.beside);
    if (error != cudaSuccess) return error;
  } else if (batch.progressive.walks_count != 0) {
    ReadScans(batch, streams.own);
  }
  if (batch.lanes != 0) JoinLanes(batch, streams.own);
  return cudaGetLastError();
}

cudaError_t WriteCoefficients(const Batch& batch, cudaStream_t stream) {
  if (batch.window.groups != 0) WriteKernel<<<batch.window.groups, jpeg::kLanesTogether, 0, stream>>>(batch);
  return cudaGetLastError();
}

cudaError_t AwaitScans(const Batch& batch, const ReadingStreams& streams) {
  return ReadsBeside(batch) ? cudaStreamWaitEvent(streams.own, streams.joined, 0) : cudaSuccess;
}

cudaError_t MakePixels(const Batch& batch, const jpeg::Coloring& coloring, const ReadingStreams& streams) {
  const jpeg::Window& window = batch.window;
  const cudaStream_t stream = streams.own;
  if (window.blocks == 0) return cudaSuccess;  // what it was begun for had no room elsewhere
  if (window.dc_chunks != 0) {
    SumDcOfChunkKernel<<<window.dc_chunks, kTeam, 0, stream>>>(batch);
    SumDcKernel<<<window.dc_chunks, kTeam, 0, stream>>>(batch);
  }
  if (window.gatherings != 0) {
    if (const cudaError_t error = AwaitScans(batch, streams); error != cudaSuccess) return error;
    GatherKernel<<<window.gatherings, jpeg::kBlocksGathered, 0, stream>>>(batch, coloring.is_luma);
  }
  TransformKernel<<<window.blocks / jpeg::kBlocksTogether, jpeg::kBlocksTogether, 0, stream>>>(batch, coloring.is_luma);
  ColorKernel<<<window.run_chunks, jpeg::kRunsTogether, 0, stream>>>(batch, coloring);
  return cudaGetLastError();
}

}  // namespace jaxdali::gpu
