#include "host/parent_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

namespace jaxdali::host {

void WatchParent(int pidfd, int exit_code) {
  const int own = fcntl(pidfd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) throw std::system_error(errno, std::generic_category(), "jaxdali: watching the parent process");
  // The thread takes no signals: they belong to the main thread, where Python runs its handlers.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([own, exit_code] {
    pollfd watched{own, POLLIN, 0};
    while (poll(&watched, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(exit_code);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace jaxdali::host
