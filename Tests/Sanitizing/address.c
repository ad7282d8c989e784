// What the address sanitizer is told; `scripts/sanitize address` links it into every program.
//
// Reports go to files of their own: the output of daemons and apps goes with the test that started them. A process ends
// at its first report, as it must: what it would do next is not known.
//
// Leaks are not looked for. Swift keeps bits of its own in pointers, so that what they point to looks lost.
const char *__asan_default_options(void) { return "log_path=" REPORTS "/address:detect_leaks=0"; }
