#define _GNU_SOURCE
#include "CTestMoves.h"

#include <errno.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  void (*work)(void *context);
  void *context;
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

static void *run(void *argument) {
  Job *job = argument;
  job->result = forbid();
  if (job->result == 0) job->work(job->context);
  return NULL;
}

_Bool ctestmoves_can_forbid(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

int ctestmoves_run_forbidden(void (*work)(void *context), void *context) {
  Job job = {work, context, 0};
  pthread_t thread;
  int result = pthread_create(&thread, NULL, run, &job);
  if (result != 0) return result;
  pthread_join(thread, NULL);
  return job.result;
}
