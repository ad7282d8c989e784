// What the launcher needs of Linux but Swift cannot call: clone3(2) and a child that runs nothing but system calls, and
// calls that glibc 2.36 or Swift's Glibc module have no names for. No state, no allocation, no locks.
//
// No system header that declares types is included here: Swift would take the types for this module's own.
#ifndef CNIGHTJARSPAWN_H
#define CNIGHTJARSPAWN_H

#include <stdbool.h>
#include <stdint.h>

// How a child is made. The later ones are the fallbacks for the earlier.
enum nightjar_way {
  nightjar_way_clone_into = 0,  // clone3 straight into the cgroup
  nightjar_way_clone_move = 1,  // clone3, then a write to cgroup.procs before the child goes on
  nightjar_way_fork = 2,        // clone, for where clone3 is missing or filtered; then as above
};

struct nightjar_order {
  char *const *paths;       // absolute, tried one after the other; ends with NULL
  char *const *arguments;   // ends with NULL
  char *const *environment; // ends with NULL
  const char *folder;       // the working folder
  int output;               // becomes standard output and standard error
  int leaf;                 // the folder of a cgroup, or -1
  int way;                  // the first way to try
  uint64_t files_max;       // how many descriptors it may have, unless it asks for more; 0 leaves that as it is
  int is_ordinary;          // whether it is scheduled as processes usually are; else as the daemon is
};

struct nightjar_child {
  int32_t pid;
  int pidfd;   // close-on-exec
  int gate;    // a byte written here lets the child go on; closing it ends the child
  int answer;  // never blocks: the child's failure arrives here, or end of file with its execve
  bool in_leaf;
  int way;     // the way that worked
};

// The step at which a child failed.
enum nightjar_step { nightjar_step_gate = 1, nightjar_step_input, nightjar_step_folder, nightjar_step_execute };

// Makes a child that waits before its gate: a new session, signals as at the start of a process, descriptors closed.
// Returns 0 or an errno; then there is no child. A child that could not enter its leaf has in_leaf false. The pidfd and
// the answer are the caller's to close.
int nightjar_begin(const struct nightjar_order *order, struct nightjar_child *child);

// Opens the gate, and closes our end of it. Does not wait: the program's file system may never answer.
void nightjar_open_gate(int gate);

// Looks at the answer. Returns 1 if the program runs (or the child was killed, as its pidfd will tell); 0 if that is
// not known yet; or a negative errno with the step at which it arose, and then the child is reaped.
int nightjar_answer(int answer, int pidfd, int *step);

// Closes the gate: the child ends without having run anything. It is reaped.
void nightjar_abandon(int gate, int pidfd);

// pidfd_open(2). Returns a descriptor, close-on-exec, or a negative errno.
int nightjar_pidfd_open(int32_t pid);

// pidfd_send_signal(2). With `group`, to the process group of the process (Linux 6.9). Returns 0 or an errno.
int nightjar_pidfd_signal(int pidfd, int signal, bool group);

// Reaps the child behind a pidfd without waiting. Returns 1 with `code` (CLD_EXITED, CLD_KILLED, CLD_DUMPED) and
// `status`; 0 if it still runs; a negative errno if it is no child of ours.
int nightjar_reap(int pidfd, int *code, int *status);

struct nightjar_info {
  bool has_cgroup;
  bool has_exit;
  uint64_t cgroup;  // the inode of the cgroup's folder
  int32_t pid;
  int exit_status;  // as wait(2) gives it
};

// PIDFD_GET_INFO (Linux 6.13; the exit status from 6.15 on). Returns 0 or an errno.
int nightjar_info(int pidfd, struct nightjar_info *info);

// SO_PEERPIDFD (Linux 6.5). Returns a descriptor, close-on-exec, or a negative errno.
int nightjar_peer_pidfd(int socket);

// SO_PEERCRED. Returns 0 or an errno.
int nightjar_peer_credentials(int socket, int32_t *pid, uint32_t *uid);

// renameat2(2) with RENAME_EXCHANGE or RENAME_NOREPLACE. Returns 0 or an errno.
int nightjar_exchange(const char *one, const char *other);
int nightjar_rename_new(const char *from, const char *to);

// epoll(7). Failures are negative errnos, except that a wait cut short by a signal returns 0.
enum { nightjar_readable = 0x001, nightjar_urgent = 0x002, nightjar_writable = 0x004 };
int nightjar_epoll(void);
int nightjar_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int nightjar_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token);
void nightjar_epoll_remove(int epoll, int descriptor);
int nightjar_epoll_wait(int epoll, uint64_t *tokens, int count);

// eventfd(2): rung from any thread, hushed by the one that waits.
int nightjar_bell(void);
void nightjar_ring(int bell);
void nightjar_hush(int bell);

// timerfd_create(2) on CLOCK_BOOTTIME with absolute times; 0 and 0 is off. The read returns whether it has rung.
int nightjar_timer(void);
int nightjar_timer_set(int timer, int64_t seconds, int64_t nanoseconds);
bool nightjar_timer_rang(int timer);

// A timer that does nothing but become readable when the wall clock is set (TFD_TIMER_CANCEL_ON_SET).
int nightjar_clock_watch(void);
bool nightjar_clock_was_set(int watch);

// A socket that hears of changes to links, addresses and routes (rtnetlink(7)); or a negative errno.
int nightjar_route_socket(void);

// A socket that hears of changes to devices from the kernel (uevents); or a negative errno.
int nightjar_uevent_socket(void);

// inotify(7) on every folder on the way to a path that is there; or a negative errno. The read returns whether a name
// on the way has come into one of them, or one of them has gone. A folder that comes is not watched.
int nightjar_way_watch(const char *path);
bool nightjar_way_changed(int watch, const char *path);

// Puts blocks of at least so many bytes into pages of their own, which go back to the system when they are freed
// (mallopt(3)). Without effect with another C library than glibc.
void nightjar_map_blocks_from(int bytes);

#endif
