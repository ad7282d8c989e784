/// A mount of the cgroup v2 file system (cgroups(7), proc_pid_mountinfo(5)).
struct CgroupMount {
  /// The folder on which it is mounted.
  let point: String
  /// The cgroup at its top: `/` except in containers.
  let root: String

  /// The first that this process sees; nil if there is none.
  static var ours: CgroupMount? {
    guard let text = Disk.bytes(of: "/proc/self/mountinfo", max: 1 << 22) else { return nil }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count, fields[dash + 1] == "cgroup2" else {
        continue
      }
      return CgroupMount(point: String(fields[4]), root: String(fields[3]))
    }
    return nil
  }

  /// The folder of a cgroup, given as its absolute path; nil if it lies outside of the mount.
  func folder(of cgroup: String) -> String? {
    let (path, top) = (cgroup == "/" ? "" : cgroup, root == "/" ? "" : root)
    guard path == top || path.hasPrefix(top + "/") else { return nil }
    return point + String(decoding: path.utf8.dropFirst(top.utf8.count), as: UTF8.self)
  }
}
