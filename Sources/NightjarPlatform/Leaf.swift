import Glibc

/// One cgroup v2 leaf: the processes of one app, whatever sessions or groups they make.
struct Leaf: Sendable {
  /// Its folder.
  let path: String
  /// The folder's inode, by which the kernel names the cgroup.
  let inode: UInt64
  /// The folder, for clone3(2).
  let folder: Descriptor
  /// `cgroup.events`, which can be waited for.
  let events: Descriptor

  /// Makes the cgroup if it is not there.
  init(at path: String) throws(PlatformError) {
    try Disk.makeFolders(path)
    try self.init(existing: path)
  }

  /// Takes up a cgroup that is there.
  init(existing path: String) throws(PlatformError) {
    guard let folder = Descriptor.opened(path, O_RDONLY | O_DIRECTORY),
      let events = Descriptor.opened(path + "/cgroup.events", O_RDONLY), let status = Disk.status(of: path)
    else { throw .system("cannot open the cgroup \(path)") }
    (self.path, self.folder, self.events, inode) = (path, folder, events, UInt64(status.st_ino))
  }

  /// Whether a process is in it or below it. Zombies do not count.
  var isPopulated: Bool { says("populated 1") }
  /// Whether all its processes stand still.
  var isFrozen: Bool { says("frozen 1") }

  /// The processes in it and below it.
  var processes: [Int32] { Self.processes(in: path, depth: 0) }

  /// Asks for all processes to stand still, or to run on. It is done when ``isFrozen`` says so.
  func setFrozen(_ isFrozen: Bool) -> Bool { write(isFrozen ? "1" : "0", to: "cgroup.freeze") }

  /// Kills all processes in it and below it, frozen or not (Linux 5.14).
  func kill() -> Bool { write("1", to: "cgroup.kill") }

  /// Waits until no process is left in it, but not for long.
  func waitUntilEmpty(milliseconds: Int32) {
    let deadline = Clocks.boot() + .milliseconds(milliseconds)
    while isPopulated, events.shows(POLLPRI, by: deadline) { continue }
  }

  /// Removes the cgroup with those below it, unless a process is left in one.
  func remove() { Self.remove(path, depth: 0) }

  /// Tries out whether a process of ours may be put into it.
  func admit() throws(PlatformError) {
    let order = Spawn.Order(
      paths: ["/"], arguments: [], environment: [:], folder: "/", output: events, leaf: self, way: .best)
    let spawn = try Spawn(order)
    spawn.abandon()
    guard spawn.isInLeaf else { throw .system("cannot put a process into the cgroup \(path)", EACCES) }
  }

  private static let depthMax = 16

  private static func remove(_ path: String, depth: Int) {
    if rmdir(path) == 0 || depth > depthMax { return }
    for folder in folders(in: path) { remove(folder, depth: depth + 1) }
    rmdir(path)
  }

  /// As many as Linux can have at a time, each with up to seven digits.
  private static let processesBytesMax = (1 << 22) * 8

  private static func processes(in path: String, depth: Int) -> [Int32] {
    let bytes = Disk.bytes(of: path + "/cgroup.procs", max: processesBytesMax) ?? []
    let own = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
    return depth > depthMax ? own : folders(in: path).reduce(own) { $0 + processes(in: $1, depth: depth + 1) }
  }

  private static func folders(in path: String) -> [String] {
    Disk.names(in: path).map { path + "/" + $0 }.filter { Disk.status(of: $0).map(Disk.isFolder) == true }
  }

  // Read from the descriptor that is waited for: reading is what re-arms it.
  private func says(_ line: String) -> Bool {
    let text = Disk.bytes(of: events, max: 4096).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").contains { $0 == line }
  }

  private func write(_ text: String, to name: String) -> Bool {
    guard let file = Descriptor.opened(path + "/" + name, O_WRONLY) else { return false }
    return Disk.write(text.utf8, to: file)
  }
}
