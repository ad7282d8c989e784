import Glibc

/// The variables that this process was started with.
enum Environment {
  static let current: [String: String] = {
    var found: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
      next += 1
    }
    return found
  }()
}
