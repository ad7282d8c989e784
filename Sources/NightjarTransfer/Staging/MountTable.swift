import NightjarModel

/// Where file systems are mounted, as the kernel lists it (proc_pid_mountinfo(5)), which asks none of them.
struct MountTable: Sendable {
  private var mounts: [String: Int] = [:]

  /// Reads the list; lines of another form are left out.
  init(_ text: String) {
    for line in text.split(ascii: "\n") {
      let fields = line.split(ascii: " ")
      guard fields.count > 4, let number = Int(fields[0]) else { continue }
      mounts[Self.plain(fields[4])] = number  // What is mounted last at a place covers what was there.
    }
  }

  var isEmpty: Bool { mounts.isEmpty }
  var numbers: Set<Int> { Set(mounts.values) }

  /// The mount that a path without symbolic links lies on; 0 where none is listed.
  func mount(at path: String) -> Int {
    var path = path[...]
    while !path.isEmpty {
      if let found = mounts[String(path)] { return found }
      path = path[..<(path.utf8.lastIndex(of: Self.slash) ?? path.startIndex)]
    }
    return mounts["/"] ?? 0
  }

  /// The mount that an absolute path leads to. Symbolic links are followed on the root mount and on `own` only, without
  /// which the daemon cannot live anyhow: nothing below any other mount is touched, since its file system may never
  /// answer.
  ///
  /// - Parameter link: What a symbolic link leads to; nil for anything else.
  /// - Returns: Also `own` for a path that the kernel refuses for its length, which touches nothing.
  func mount(of path: String, following own: Int, link: (String) -> String?) -> Int {
    guard path.utf8.count < Self.lengthMax else { return own }
    let root = mount(at: "/")
    var (here, mount, rest, linksLeft) = ("", root, Self.names(path), Self.linksMax)
    while let name = rest.popLast() {
      guard here.utf8.count < Self.lengthMax, rest.count < Self.lengthMax else { return 0 }
      if name == ".." {
        guard mount == own || mount == root else { return mount }  // The path leads through that mount.
        here = String(here[..<(here.utf8.lastIndex(of: Self.slash) ?? here.startIndex)])
        mount = self.mount(at: here)
        continue
      }
      let there = "\(here)/\(name)"
      let next = mounts[there] ?? mount
      guard linksLeft > 0, next == own || next == root, let target = link(there) else {
        (here, mount) = (there, next)
        continue
      }
      linksLeft -= 1
      if target.utf8.first == Self.slash { (here, mount) = ("", root) }
      rest += Self.names(target)
    }
    return mount
  }

  private static let slash = UInt8(ascii: "/")
  /// How long a path may be (PATH_MAX).
  private static let lengthMax = 4096
  /// As many as the kernel follows (path_resolution(7)).
  private static let linksMax = 40

  /// The names in a path, the last one first.
  private static func names(_ path: String) -> [Substring] {
    path.split(ascii: "/").filter { $0 != "." }.reversed()
  }

  /// Undoes the list's escapes: a space and the like stand in it as a backslash and three octal digits.
  private static func plain(_ field: Substring) -> String {
    var (bytes, rest) = ([UInt8](), field.utf8[...])
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3, let code = UInt8(String(digits) ?? "", radix: 8) else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
