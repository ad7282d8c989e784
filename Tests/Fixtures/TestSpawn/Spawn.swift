import CTestSpawn
public import Glibc

/// Why a program did not start.
public struct SpawnFailure: Error, CustomStringConvertible {
  public let description: String
}

/// Where what a program says goes.
public enum SpawnOutput {
  /// To the end of a file.
  case file(String)
  /// Into a descriptor.
  case descriptor(CInt)
  /// To where ours goes.
  case ours
}

/// Starts a program, found by `PATH`, for a test: with these variables (`NAME=value`) and no others, no signal blocked
/// and SIGHUP not ignored, and of our descriptors none but perhaps a socket, as its descriptor 3. Its errors go where
/// its output goes.
public func spawn(
  _ command: [String], environment: [String], input: String = "/dev/null", output: SpawnOutput, socket: CInt? = nil
) throws(SpawnFailure) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
  switch output {
  case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o666)
  case .descriptor(let number): posix_spawn_file_actions_adddup2(&actions, number, 1)
  case .ours: break
  }
  if case .ours = output {} else { posix_spawn_file_actions_adddup2(&actions, 1, 2) }
  if let socket { posix_spawn_file_actions_adddup2(&actions, socket, 3) }
  ctestspawn_close_from(&actions, socket == nil ? 3 : 4)
  return try start(command, environment, &actions)
}

private func start(
  _ command: [String], _ environment: [String], _ actions: inout posix_spawn_file_actions_t
) throws(SpawnFailure) -> pid_t {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  var hangUp = none  // Ignored under nohup(1), and the program would inherit that.
  sigaddset(&hangUp, SIGHUP)
  posix_spawnattr_setsigdefault(&attributes, &hangUp)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  let arguments = command.map { strdup($0) } + [nil]
  let variables = environment.map { strdup($0) } + [nil]
  defer { for text in arguments + variables { free(text) } }
  var pid: pid_t = 0
  let result = posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
  guard result == 0 else {
    throw SpawnFailure(description: "\(command[0]) did not start: \(String(cString: strerror(result)))")
  }
  return pid
}
