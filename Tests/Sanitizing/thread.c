// Tells the thread sanitizer what it cannot see; `scripts/sanitize thread` links it into every program.
//
// `Synchronization.Mutex` locks with one atomic exchange, which is compiled into whoever uses it, and is seen. When
// another thread holds it, it calls the two functions below, which leave the waiting to the kernel (futex(2),
// FUTEX_LOCK_PI) and live in libswiftSynchronization, which has no instruments: the sanitizer saw nobody hand the lock
// over, and took whatever the lock guards for a race. These two stand before the real ones, call them, and say so. They
// keep nothing quiet; without them every race that is reported between two holders of one lock is false.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Weak: what has no instruments, such as a plugin of the build, has no sanitizer either.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*Unlock)(SELF void *mutex);

static void *next(_Atomic(void *) *known, const char *name) {
  void *found = atomic_load_explicit(known, memory_order_acquire);
  if (!found) {
    found = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, found, memory_order_release);
  }
  return found;
}

SWIFT void nightjar_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void nightjar_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void nightjar_lock(uint32_t thread, SELF void *mutex) {
  static _Atomic(void *) real;
  ((Lock)next(&real, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void nightjar_unlock(SELF void *mutex) {
  static _Atomic(void *) real;
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock)next(&real, UNLOCK))(mutex);
}

// Reports go to files of their own: the output of daemons and apps goes with the test that started them. A report
// changes no exit status, so that the tests go on; the script fails when there is one.
const char *__tsan_default_options(void) {
  return "log_path=" REPORTS "/thread:exitcode=0:second_deadlock_stack=1:history_size=4";
}
