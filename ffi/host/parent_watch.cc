#include "host/parent_watch.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>

#include "host/descriptor.h"

namespace jaxdali::host {

void WatchParent(int pidfd, int exit_code, int lost_code) {
  const auto own = std::make_shared<const Descriptor>(Duplicate(pidfd), "the parent process");
  // The thread takes no signals: they belong to the main thread, where Python runs its handlers.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([own, exit_code, lost_code] {
    pollfd watched{-1, POLLIN, 0};
    do {
      try {
        watched.fd = own->get();
      } catch (const std::runtime_error&) {
        _exit(lost_code);
      }
    } while (poll(&watched, 1, -1) < 0 && errno == EINTR);
    _exit(watched.revents & POLLNVAL ? lost_code : exit_code);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace jaxdali::host
