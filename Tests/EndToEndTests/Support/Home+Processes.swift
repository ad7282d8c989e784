import Foundation

extension Home {
  /// The processes that a daemon of this home has launched: each was given the home's socket.
  var apps: [pid_t] {
    let mark = Data("NIGHTJAR_SOCKET=\(socket)\0".utf8)
    return Files.names("/proc").compactMap { pid_t($0) }.filter { pid in
      // Only what has not begun to be something else, nor ended.
      Files.bytes("/proc/\(pid)/environ").range(of: mark) != nil
    }
  }

  /// Ends the daemon and every app, and removes all that they have left.
  func clear() {
    crash()
    endApps()
    clearCgroups()
    guard ProcessInfo.processInfo.environment["NIGHTJAR_TEST_KEEP"] == nil else { return print("kept: \(folder)") }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Kills every app.
  func endApps() {
    let deadline = ContinuousClock.now + .seconds(60)
    while !apps.isEmpty {
      for pid in apps { kill(pid, SIGKILL) }
      guard ContinuousClock.now < deadline else { return print("these apps of \(folder) cannot be killed: \(apps)") }
    }
  }

  /// A daemon that was killed leaves cgroups behind; they can go as soon as the last process has left them.
  private func clearCgroups() {
    guard let parent = cgroups else { return }
    for leaf in Files.names(parent) {
      for _ in 0..<500 where rmdir(parent + "/" + leaf) != 0 && errno == EBUSY { usleep(10_000) }
    }
    rmdir(parent)
  }

  /// The folder of this home's cgroups, if it has any.
  var cgroups: String? {
    let id = Files.text(path + "/state/home-id").trimmingCharacters(in: .whitespacesAndNewlines)
    let own = Files.text("/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::/") }?.dropFirst(4) ?? ""
    let mounts = ["/sys/fs/cgroup/", "/sys/fs/cgroup/unified/"]
    let candidates = mounts.flatMap { mount in
      Files.names("\(mount)\(own)/nightjar").filter { $0.hasPrefix(id + "-") }.map { "\(mount)\(own)/nightjar/\($0)" }
    }
    return id.isEmpty ? nil : candidates.first
  }
}
