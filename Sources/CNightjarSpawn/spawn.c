// Starting an app: the child is made, put into its cgroup and written into the books before it runs anything.
//
// Between clone and execve the child shares nothing with its parent but may have been copied from a process whose
// other threads held any lock. So it makes raw system calls only: no function of the C library that could lock,
// allocate or look at thread-local state beyond errno.
#define _GNU_SOURCE
#include "CNightjarSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLONE_CLEAR_SIGHAND
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { highest_signal = 64, answer_place = 3, gate_place = 4, first_free = 5, descriptors_max = 65536, busy_tries_max = 2000 };

struct failure {
  int step;
  int error;
};

static void refuse(int answer, int step) {
  struct failure failure = {step, errno};
  uint64_t broken_pipe = 1ULL << (SIGPIPE - 1);  // The reader may be gone: then the exit status tells.
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &broken_pipe, 0, sizeof broken_pipe);
  (void)!syscall(SYS_write, answer, &failure, sizeof failure);
  syscall(SYS_exit_group, 127);
  __builtin_unreachable();
}

// Handlers and ignored signals (a daemon ignores SIGPIPE) back to the default, then nothing blocked.
static void reset_signals(void) {
  char plain[64] = {0};  // The kernel's struct sigaction with SIG_DFL, no flags and an empty mask, on every machine.
  uint64_t none = 0;
  for (int signal = 1; signal <= highest_signal; signal++)
    syscall(SYS_rt_sigaction, signal, plain, 0, sizeof none);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, sizeof none);
}

static int moved(int from, int to) {
  if (from == to) return to;
  return (int)syscall(SYS_dup3, from, to, O_CLOEXEC);
}

// Leaves the standard three, the answer and the gate.
static void close_others(void) {
  if (syscall(SYS_close_range, first_free, ~0U, 0) == 0) return;
  for (int number = first_free; number < descriptors_max; number++) syscall(SYS_close, number);
}

// Moves all descriptors out of the way first, so that none is overwritten before it is moved to its place.
static void arrange(const struct nightjar_order *order, int answer, int gate) {
  int high_answer = (int)syscall(SYS_fcntl, answer, F_DUPFD_CLOEXEC, 16);
  int high_gate = (int)syscall(SYS_fcntl, gate, F_DUPFD_CLOEXEC, 16);
  int high_output = (int)syscall(SYS_fcntl, order->output, F_DUPFD_CLOEXEC, 16);
  if (high_answer < 0 || high_gate < 0 || high_output < 0) refuse(answer, nightjar_step_input);
  int input = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY, 0);
  if (input < 0 || (input != 0 && syscall(SYS_dup3, input, 0, 0) < 0)) refuse(high_answer, nightjar_step_input);
  if (syscall(SYS_dup3, high_output, 1, 0) < 0) refuse(high_answer, nightjar_step_input);
  if (syscall(SYS_dup3, high_output, 2, 0) < 0) refuse(high_answer, nightjar_step_input);
  if (moved(high_answer, answer_place) < 0) refuse(high_answer, nightjar_step_input);
  if (moved(high_gate, gate_place) < 0) refuse(high_answer, nightjar_step_input);
  close_others();
}

// The daemon raises its own bound as far as it may. A program that waits with select(2) must get no descriptor above
// the usual one, unless it asks for more.
static void bound_files(uint64_t files_max) {
  struct {
    uint64_t soft, hard;
  } bounds;  // The kernel's struct rlimit64, on every machine.
  if (files_max == 0 || syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &bounds) < 0) return;
  bounds.soft = files_max < bounds.hard ? files_max : bounds.hard;
  syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &bounds, 0);
}

// The daemon may have chosen another policy for itself, which a child would inherit.
static void schedule_ordinarily(void) {
  int priority = 0;  // The kernel's struct sched_param.
  syscall(SYS_sched_setscheduler, 0, SCHED_NORMAL, &priority);
}

// A program that was just installed is "busy" (ETXTBSY) until a child that was cloned while it was being written has
// closed its copies of the descriptors. That takes a moment.
static void execute_at(const char *path, const struct nightjar_order *order) {
  for (int tries = 0; tries < busy_tries_max; tries++) {
    syscall(SYS_execve, path, order->arguments, order->environment);
    if (errno != ETXTBSY) return;
    struct timespec moment = {.tv_nsec = 2000000};
    syscall(SYS_nanosleep, &moment, 0);
    errno = ETXTBSY;
  }
}

// Whether the program may still lie at the next path: this one leads nowhere, to what may not be run, or to a file
// system that is gone.
static bool may_lie_elsewhere(int error) {
  static const int errors[] = {ENOENT, ENOTDIR, EACCES, ESTALE, ENODEV, ETIMEDOUT, ENOTCONN, ECONNABORTED};
  for (unsigned each = 0; each < sizeof errors / sizeof *errors; each++)
    if (errors[each] == error) return true;
  return false;
}

// Leaves in errno why none could be run: ENOENT only if no path had a better reason (as execvp(3)).
static void execute(const struct nightjar_order *order) {
  int reason = ENOENT;
  for (char *const *path = order->paths; *path; path++) {
    execute_at(*path, order);
    if (!may_lie_elsewhere(errno)) return;
    if (errno != ENOENT && errno != ENOTDIR) reason = errno;
  }
  errno = reason;
}

__attribute__((noreturn)) static void run_child(const struct nightjar_order *order, int answer, int gate) {
  syscall(SYS_setsid);
  arrange(order, answer, gate);
  bound_files(order->files_max);
  if (order->is_ordinary) schedule_ordinarily();
  reset_signals();
  char go = 0;
  long count;
  do count = syscall(SYS_read, gate_place, &go, 1);
  while (count < 0 && errno == EINTR);
  if (count != 1) refuse(answer_place, nightjar_step_gate);
  if (syscall(SYS_chdir, order->folder) < 0) refuse(answer_place, nightjar_step_folder);
  execute(order);
  refuse(answer_place, nightjar_step_execute);
  __builtin_unreachable();
}

static long clone_new(int *pidfd, int leaf) {
  struct clone_args arguments = {0};
  arguments.flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND | (leaf < 0 ? 0 : CLONE_INTO_CGROUP);
  arguments.pidfd = (uint64_t)(uintptr_t)pidfd;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = leaf < 0 ? 0 : (uint64_t)leaf;
  return syscall(SYS_clone3, &arguments, sizeof arguments);
}

// On every architecture the pidfd goes to the third argument of clone.
static long clone_old(int *pidfd) { return syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, pidfd, 0, 0); }

static bool moves_into(int leaf, pid_t pid) {
  char digits[16];
  int at = sizeof digits;
  for (unsigned rest = (unsigned)pid; rest > 0; rest /= 10) digits[--at] = (char)('0' + rest % 10);
  int procs = openat(leaf, "cgroup.procs", O_WRONLY | O_CLOEXEC);
  if (procs < 0) return false;
  ssize_t count = write(procs, digits + at, sizeof digits - (size_t)at);
  close(procs);
  return count > 0;
}

// Tries the ways in turn. Returns the pid, 0 in the child, or a negative errno.
static long made(const struct nightjar_order *order, struct nightjar_child *child) {
  long pid = -1;
  errno = ENOSYS;
  if (order->way <= nightjar_way_clone_into && order->leaf >= 0) {
    child->way = nightjar_way_clone_into;
    pid = clone_new(&child->pidfd, order->leaf);
    if (pid >= 0) return pid;
  }
  if (order->way <= nightjar_way_clone_move) {
    child->way = nightjar_way_clone_move;
    pid = clone_new(&child->pidfd, -1);
    if (pid >= 0) return pid;
  }
  // ENOSYS: an old kernel, or a container's filter that says so. EPERM: another filter. EINVAL: an older clone3.
  if (errno != ENOSYS && errno != EPERM && errno != EINVAL) return -errno;
  child->way = nightjar_way_fork;
  pid = clone_old(&child->pidfd);
  return pid < 0 ? -errno : pid;
}

static void close_all(int *pipe_one, int *pipe_two) {
  for (int end = 0; end < 2; end++) {
    if (pipe_one[end] >= 0) close(pipe_one[end]);
    if (pipe_two[end] >= 0) close(pipe_two[end]);
  }
}

int nightjar_begin(const struct nightjar_order *order, struct nightjar_child *child) {
  int gate[2] = {-1, -1}, answer[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0 || pipe2(answer, O_CLOEXEC) < 0) {
    int error = errno;
    close_all(gate, answer);
    return error;
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // No handler of ours may run in the child.
  child->pidfd = -1;
  long pid = made(order, child);
  if (pid == 0) run_child(order, answer[1], gate[0]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pid < 0) {
    close_all(gate, answer);
    return (int)-pid;
  }
  close(gate[0]);
  close(answer[1]);
  fcntl(answer[0], F_SETFL, O_NONBLOCK);
  child->pid = (int32_t)pid;
  child->gate = gate[1];
  child->answer = answer[0];
  child->in_leaf =
    order->leaf >= 0 && (child->way == nightjar_way_clone_into || moves_into(order->leaf, child->pid));
  return 0;
}

static void reap_failed(int pidfd) {
  siginfo_t information;
  syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, 0, 0);  // It may be stopped on its way out.
  while (waitid(P_PIDFD, (id_t)pidfd, &information, WEXITED) < 0 && errno == EINTR) continue;
}

void nightjar_open_gate(int gate) {
  char go = 1;
  ssize_t count;
  do count = send(gate, &go, 1, MSG_NOSIGNAL);  // It may have been killed meanwhile; its pidfd will tell.
  while (count < 0 && errno == EINTR);
  close(gate);
}

int nightjar_answer(int answer, int pidfd, int *step) {
  struct failure failure = {0, 0};
  ssize_t count;
  do count = read(answer, &failure, sizeof failure);
  while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EAGAIN) return 0;
  *step = failure.step;
  if (count == 0) return 1;
  reap_failed(pidfd);
  return failure.error == 0 ? -EIO : -failure.error;
}

void nightjar_abandon(int gate, int pidfd) {
  close(gate);
  reap_failed(pidfd);
}
