// What one thread needs to wait for everything: epoll, a bell, timers.
#define _GNU_SOURCE
#include "CNightjarSpawn.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

_Static_assert(
  nightjar_readable == EPOLLIN && nightjar_urgent == EPOLLPRI && nightjar_writable == EPOLLOUT, "the kernel's numbers");

enum { batch_max = 64 };

static int or_error(int result) { return result < 0 ? -errno : result; }

int nightjar_epoll(void) { return or_error(epoll_create1(EPOLL_CLOEXEC)); }

int nightjar_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return or_error(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event));
}

int nightjar_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return or_error(epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event));
}

void nightjar_epoll_remove(int epoll, int descriptor) { epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL); }

int nightjar_epoll_wait(int epoll, uint64_t *tokens, int count) {
  struct epoll_event events[batch_max];
  int found = epoll_wait(epoll, events, count < batch_max ? count : batch_max, -1);
  if (found < 0) return errno == EINTR ? 0 : -errno;
  for (int index = 0; index < found; index++) tokens[index] = events[index].data.u64;
  return found;
}

int nightjar_bell(void) { return or_error(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

void nightjar_ring(int bell) { eventfd_write(bell, 1); }

void nightjar_hush(int bell) {
  eventfd_t count;
  eventfd_read(bell, &count);
}

int nightjar_timer(void) { return or_error(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)); }

int nightjar_timer_set(int timer, int64_t seconds, int64_t nanoseconds) {
  struct itimerspec setting = {.it_value = {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return or_error(timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL));
}

bool nightjar_timer_rang(int timer) {
  uint64_t count;
  return read(timer, &count, sizeof count) == sizeof count;
}

static int arm_clock_watch(int watch) {
  // So far away that nothing but the clock's being set makes it readable.
  struct itimerspec setting = {.it_value = {.tv_sec = INT64_MAX / 2000000000}};
  return timerfd_settime(watch, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &setting, NULL);
}

int nightjar_clock_watch(void) {
  int watch = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (watch < 0 || arm_clock_watch(watch) == 0) return or_error(watch);
  int error = errno;
  close(watch);
  return -error;
}

bool nightjar_clock_was_set(int watch) {
  uint64_t count;
  bool was_set = read(watch, &count, sizeof count) < 0 && errno == ECANCELED;
  if (was_set) arm_clock_watch(watch);
  return was_set;
}

int nightjar_way_watch(const char *path) {
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch < 0) return -errno;
  int best = -ENOENT;
  for (const char *end = strchr(path, '/'); end; end = strchr(end + 1, '/')) {
    char *folder = strndup(path, end == path ? 1 : (size_t)(end - path));
    if (folder && inotify_add_watch(watch, folder, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) >= 0) best = watch;
    free(folder);
  }
  if (best < 0) close(watch);
  return best;
}

static bool is_on_way(const char *path, const char *name) {
  size_t length = strlen(name);
  for (const char *part = path; (part = strstr(part, name)); part++)
    if (part > path && part[-1] == '/' && (part[length] == '/' || part[length] == 0)) return true;
  return false;
}

bool nightjar_way_changed(int watch, const char *path) {
  char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
  bool has_changed = false;
  for (ssize_t count; (count = read(watch, buffer, sizeof buffer)) > 0;) {
    for (char *next = buffer; next < buffer + count;) {
      const struct inotify_event *event = (const struct inotify_event *)next;
      // A folder that was removed or unmounted is watched no longer.
      if (event->mask & (IN_Q_OVERFLOW | IN_UNMOUNT | IN_IGNORED)) has_changed = true;
      if (event->len > 0 && is_on_way(path, event->name)) has_changed = true;
      next += sizeof *event + event->len;
    }
  }
  return has_changed;
}
