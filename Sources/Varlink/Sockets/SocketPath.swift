import Glibc

/// The path of a socket file, its folder held open.
struct SocketPath: Sendable {
  /// The longest name that fits an address after `/proc/self/fd/2147483647/`.
  static let nameBytesMax = 80

  let path: String
  let name: String
  let folder: Descriptor

  init(_ path: String) throws(TransportError) {
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard (1...Self.nameBytesMax).contains(name.utf8.count) else {
      throw TransportError(.badAddress, "\"\(path)\": its last part must have 1 to \(Self.nameBytesMax) bytes")
    }
    let number = Linux.openFolder(parent)
    guard number >= 0 else { throw .system("open \(parent)", errno == ENOENT ? .unreachable : .system) }
    (self.path, self.name, folder) = (path, name, Descriptor(number))
  }

  /// Calls with the path itself when it fits, else with a short name for the same place.
  func withAddress<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    let fits = path.utf8.count <= UnixSocket.addressBytesMax
    let short = fits ? path : "/proc/self/fd/\(folder.number)/\(name)"
    return withUnixAddress(Array(short.utf8), terminated: true, call)
  }
}
