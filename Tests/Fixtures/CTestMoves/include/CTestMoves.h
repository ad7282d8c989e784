#ifndef CTESTMOVES_H
#define CTESTMOVES_H

// Whether the kernel can confine a thread (landlock(7), since Linux 5.13).
_Bool ctestmoves_can_forbid(void);

// Runs `work` on a thread of its own, which may give no file a name in another folder: rename(2) and link(2) fail there
// with EXDEV, as between two projects of a file system with quotas. Returns 0, or an errno with nothing run.
int ctestmoves_run_forbidden(void (*work)(void *context), void *context);

#endif
