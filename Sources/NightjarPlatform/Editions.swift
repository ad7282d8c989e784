public import NightjarModel

/// How often each app was put on the disk, and how many of these the daemon's rules have heard of.
///
/// An app is removed by what the rules knew when they decided it. A bundle that was put on the disk meanwhile is newer
/// than that decision, and stays.
public struct Editions: Sendable {
  private var onDisk: [AppID: Int] = [:]
  private var heard: [AppID: Int] = [:]

  /// Nothing was installed yet.
  public init() {}

  /// An app was put on the disk.
  public mutating func installed(_ app: AppID) { onDisk[app, default: 0] += 1 }

  /// The rules have taken in that an app was put on the disk.
  public mutating func heard(_ app: AppID) { heard[app, default: 0] += 1 }

  /// The newest edition that the rules know.
  public func known(_ app: AppID) -> Int { heard[app, default: 0] }

  /// Whether a newer one lies on the disk than the one that the rules knew.
  public func isNewer(_ app: AppID, than known: Int) -> Bool { onDisk[app, default: 0] > known }
}
