// The kernels of decoder="cuda" by themselves, for gpu_jpeg.py: one batch of files, made over and over.
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "jpeg/kernels.h"
#include "jpeg/prepare.h"

namespace {

using namespace jaxdali;

struct Job {
  std::vector<jpeg::Header> headers;
  std::vector<jpeg::File> files;
  jpeg::Plan plan;
  jpeg::Batch batch;
  jpeg::Scratch layout;
  size_t scan_bytes, descriptor_bytes;
  uint8_t *host, *staging;  // page-locked: entropy-coded data; descriptors
  uint8_t *scans, *descriptors, *scratch, *pixels;
  cudaStream_t stream, beside;
  cudaEvent_t begin, end, forked, joined;
};

bool Failed(cudaError_t error) { return error != cudaSuccess; }

}  // namespace

extern "C" {

// Takes files, and makes images of height x width of each in `pixels`, on the device. Null: a file is not for these
// kernels, or CUDA fails.
void* jaxdali_make_job(const uint8_t* const* files, const size_t* sizes, int count, uint8_t* pixels, int height,
                       int width) {
  auto job = std::make_unique<Job>();
  job->headers.resize(count);
  size_t used = 0;
  for (int index = 0; index < count; ++index) {
    jpeg::Header& header = job->headers[index];
    if (!jpeg::ReadHeader(files[index], sizes[index], &header)) return nullptr;
    if (header.height != static_cast<uint32_t>(height) || header.width != static_cast<uint32_t>(width)) return nullptr;
    const uint64_t bytes = jpeg::ScanBytes(header, sizes[index]);
    const size_t pitch = size_t{3} * width;
    job->files.push_back({&header, used, bytes, {pixels + index * pitch * height, pitch}});
    used += bytes;
  }
  job->scan_bytes = used;
  if (Failed(cudaMallocHost(&job->host, used)) || Failed(cudaMalloc(&job->scans, used))) return nullptr;
  for (int index = 0; index < count; ++index) {
    const jpeg::File& file = job->files[index];
    std::memcpy(job->host + file.at, files[index] + file.image->scan, file.scan_bytes);
  }
  if (!jpeg::Prepare(job->files, &job->plan).empty()) return nullptr;
  job->layout = job->plan.MakeScratch();
  job->descriptor_bytes = job->plan.DescriptorBytes();
  if (Failed(cudaMallocHost(&job->staging, job->descriptor_bytes)) ||
      Failed(cudaMalloc(&job->descriptors, job->descriptor_bytes)) ||
      Failed(cudaMalloc(&job->scratch, job->layout.bytes)) || Failed(cudaStreamCreate(&job->stream)) ||
      Failed(cudaStreamCreateWithFlags(&job->beside, cudaStreamNonBlocking)) || Failed(cudaEventCreate(&job->forked)) ||
      Failed(cudaEventCreate(&job->joined)) || Failed(cudaEventCreate(&job->begin)) ||
      Failed(cudaEventCreate(&job->end)) || Failed(cudaMemcpy(job->scans, job->host, used, cudaMemcpyHostToDevice))) {
    return nullptr;
  }
  return job.release();
}

// Decodes the batch `times` times, one after the other, and waits. With `copies`, its entropy-coded data and
// descriptors are copied from page-locked memory each time, the latter made anew; without `pixels` it ends with
// coefficients. Seconds that it took by the device's clock, or by the host's where it copies; negative: CUDA failed.
double jaxdali_run_job(void* pointer, int times, int copies, int pixels) {
  Job& job = *static_cast<Job*>(pointer);
  const gpu::ReadingStreams streams = {job.stream, job.beside, job.forked, job.joined};
  const auto started = std::chrono::steady_clock::now();
  cudaEventRecord(job.begin, job.stream);
  for (int turn = 0; turn < times; ++turn) {
    if (copies || turn == 0) {
      if (copies) {
        // What is staged may still be read.
        cudaStreamSynchronize(job.stream);
        cudaMemcpyAsync(job.scans, job.host, job.scan_bytes, cudaMemcpyHostToDevice, job.stream);
        jpeg::Prepare(job.files, &job.plan);
      }
      job.batch = job.plan.Write(job.staging, job.descriptors, job.scans, job.scratch);
      cudaMemcpyAsync(job.descriptors, job.staging, job.descriptor_bytes, cudaMemcpyHostToDevice, job.stream);
      if (!copies) cudaEventRecord(job.begin, job.stream);
    }
    cudaMemsetAsync(job.scratch, 0, job.layout.cleared_bytes, job.stream);
    cudaMemsetAsync(job.scratch + job.layout.segment_of_lane, 0xFF, job.layout.lane_bytes, job.stream);
    if (Failed(gpu::FindBlocks(job.batch, streams))) return -1;
    for (const jpeg::Window& window : job.plan.windows()) {
      job.batch.window = window;
      if (Failed(gpu::WriteCoefficients(job.batch, job.stream))) return -1;
      if (pixels && Failed(gpu::MakePixels(job.batch, {true, false}, streams))) return -1;
    }
    if (Failed(gpu::AwaitScans(job.batch, streams))) return -1;
  }
  cudaEventRecord(job.end, job.stream);
  if (Failed(cudaStreamSynchronize(job.stream))) return -1;
  if (copies) return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, job.begin, job.end);
  return milliseconds / 1e3;
}

// Which files the last run left to the host: of each 0, or what the device said.
void jaxdali_verdicts(void* pointer, int32_t* verdicts) {
  Job& job = *static_cast<Job*>(pointer);
  cudaMemcpy(verdicts, job.batch.verdicts, job.plan.size() * sizeof(int32_t), cudaMemcpyDeviceToHost);
}

void jaxdali_free_job(void* pointer) {
  auto* const job = static_cast<Job*>(pointer);
  for (uint8_t* const memory : {job->scans, job->descriptors, job->scratch}) cudaFree(memory);
  for (uint8_t* const memory : {job->host, job->staging}) cudaFreeHost(memory);
  for (const cudaStream_t stream : {job->stream, job->beside}) cudaStreamDestroy(stream);
  for (const cudaEvent_t event : {job->begin, job->end, job->forked, job->joined}) cudaEventDestroy(event);
  delete job;
}

}  // extern "C"
