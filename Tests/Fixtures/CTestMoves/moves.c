#define _GNU_SOURCE
#include "CTestMoves.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  void (*work)(void *context);
  void *context;
  int withheld;  // The errno of what is withheld; 0 to forbid moves.
  int result;
} Job;

// Any rule set forbids to change a file's folder, whatever else it is about.
static int forbid(void) {
  const struct landlock_ruleset_attr rules = {.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK};
  int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (set < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  int result = syscall(SYS_landlock_restrict_self, set, 0) == 0 ? 0 : errno;
  close(set);
  return result;
}

static const int attribute_calls[] = {
#ifdef SYS_chmod
    SYS_chmod,
#endif
#ifdef SYS_chown
    SYS_chown,
#endif
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat,
#ifdef SYS_utimensat_time64
    SYS_utimensat_time64,
#endif
};

static int withhold(int number) {
  enum { COUNT = sizeof attribute_calls / sizeof *attribute_calls };
  struct sock_filter filter[COUNT + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  for (int i = 0; i < COUNT; i++)
    filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, attribute_calls[i], COUNT - i, 0);
  filter[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number & SECCOMP_RET_DATA));
  struct sock_fprog program = {.len = COUNT + 3, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

static void *run(void *argument) {
  Job *job = argument;
  job->result = job->withheld == 0 ? forbid() : withhold(job->withheld);
  if (job->result == 0) job->work(job->context);
  return NULL;
}

_Bool ctestmoves_can_forbid(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

_Bool ctestmoves_can_withhold(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

static int run_apart(Job *job) {
  pthread_t thread;
  int result = pthread_create(&thread, NULL, run, job);
  if (result != 0) return result;
  pthread_join(thread, NULL);
  return job->result;
}

int ctestmoves_run_forbidden(void (*work)(void *context), void *context) {
  return run_apart(&(Job){.work = work, .context = context});
}

int ctestmoves_run_withheld(int number, void (*work)(void *context), void *context) {
  return run_apart(&(Job){.work = work, .context = context, .withheld = number});
}
