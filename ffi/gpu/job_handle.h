// Who has a job released.
#ifndef JAXDALI_GPU_JOB_HANDLE_H_
#define JAXDALI_GPU_JOB_HANDLE_H_

#include <memory>
#include <utility>

#include "gpu/engine.h"
#include "host/lease.h"

namespace jaxdali::gpu {

// A job of somebody's who releases it at the latest when this is destroyed, unless a notice does that. A job that is
// never released could be found when others have written to its slot.
class JobHandle {
 public:
  JobHandle(Engine& engine, JobPointer job) : engine_(&engine), job_(std::move(job)) {}
  JobHandle(JobHandle&&) = default;
  JobHandle& operator=(JobHandle&&) = delete;
  ~JobHandle() {
    if (job_ != nullptr && releases_) engine_->Release(*job_);
  }

  Engine& engine() const { return *engine_; }
  AheadJob& job() const { return *job_; }

  // To be told once: calls cannot find the job any more. From now on it stays as long as that is not told.
  host::EndNotice Notice() {
    auto* const told = new JobHandle(*engine_, job_);
    releases_ = false;
    return {told, [](void* context) { delete static_cast<JobHandle*>(context); }};
  }

 private:
  Engine* engine_;
  JobPointer job_;
  bool releases_ = true;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_JOB_HANDLE_H_
