import Foundation

/// A file that grows until a test says that the disk is full: in memory, with a name in the file system.
final class FullDisk: Sendable {
  private typealias Create = @convention(c) (UnsafePointer<CChar>, CUnsignedInt) -> CInt

  private let file: CInt

  /// Makes the file at a path, and the folders above it.
  init(at path: String) throws {
    // memfd_create(2), which Glibc's module leaves out.
    let create = unsafeBitCast(dlsym(nil, "memfd_create"), to: Create.self)
    file = create("nightjar", Self.canBeSealed)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    symlink("/proc/self/fd/\(file)", path)
  }

  deinit { close(file) }

  /// From now on nothing can be added to the file.
  func fill() { _ = fcntl(file, Self.addSeals, Self.againstGrowth) }

  // From linux/memfd.h and linux/fcntl.h: MFD_CLOEXEC | MFD_ALLOW_SEALING, F_ADD_SEALS, F_SEAL_GROW.
  private static let canBeSealed: CUnsignedInt = 1 | 2
  private static let addSeals: CInt = 1033
  private static let againstGrowth: CInt = 4
}
