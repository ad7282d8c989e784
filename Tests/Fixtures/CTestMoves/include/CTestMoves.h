#ifndef CTESTMOVES_H
#define CTESTMOVES_H

// Whether the kernel can confine a thread (landlock(7), since Linux 5.13).
_Bool ctestmoves_can_forbid(void);

// Runs `work` on a thread of its own, which may give no file a name in another folder: rename(2) and link(2) fail there
// with EXDEV, as between two projects of a file system with quotas. Returns 0, or an errno with nothing run.
int ctestmoves_run_forbidden(void (*work)(void *context), void *context);

// Whether the kernel can refuse system calls to a thread (seccomp(2)).
_Bool ctestmoves_can_withhold(void);

// Runs `work` on a thread of its own, on which permissions, owner and times of files cannot be changed: that fails with
// `number`, as EPERM does on a share whose files belong to somebody else. Returns 0, or an errno with nothing run.
int ctestmoves_run_withheld(int number, void (*work)(void *context), void *context);

#endif
