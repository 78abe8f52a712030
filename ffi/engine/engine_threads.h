// What the threads of an engine do.
#ifndef JAXDALI_ENGINE_ENGINE_THREADS_H_
#define JAXDALI_ENGINE_ENGINE_THREADS_H_

#include "engine/engine.h"

namespace jaxdali::gpu {

// Decodes for a crew until the engine ends.
void RunCrewThread(Engine& engine, Crew& crew);

// Makes the images that nvJPEG does not accept, on the host, until the engine ends.
void RunHostThread(Engine& engine);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_ENGINE_THREADS_H_
