import Glibc

/// How our commands start programs: with all signals as they are at first. A thread of a task blocks them, which a
/// program would inherit.
enum Spawning {
  /// Starts the program whose path is the first of the words.
  ///
  /// - Parameter flags: What else is asked for (posix_spawnattr_setflags(3)).
  /// - Returns: Its process id, or why there is none, in the system's words.
  static func start(
    _ command: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t, flags: Int16 = 0
  ) -> (id: pid_t, failure: String?) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    resetSignals(&attributes, flags)
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var id: pid_t = 0
    let failure = posix_spawn(&id, command[0], &actions, &attributes, &words, &variables)
    return (id, failure == 0 ? nil : String(cString: strerror(failure)))
  }

  private static func resetSignals(_ attributes: inout posix_spawnattr_t, _ flags: Int16) {
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, flags | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
  }
}
