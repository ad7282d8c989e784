public import Foundation
import NightjarModel

extension FileManager {
  /// Returns the folder shared by all apps that name this group (Apple's app groups), and creates it if it does not
  /// exist.
  ///
  /// On Linux an app needs no entitlement for a group. The folder is beside the apps' containers and outlives the apps.
  /// An app that would be suspended while it holds a lock on a file in it is ended, as on iOS, since others would wait
  /// for the lock for as long as the app is suspended.
  ///
  /// - Returns: The folder; nil for an invalid identifier (1 to 128 letters, digits, `.`, `-` and `_`, beginning with a
  ///   letter or digit), and in a process that the daemon has not launched.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    guard let groups = ProcessInfo.processInfo.environment["NIGHTJAR_GROUPS"], groups.hasPrefix("/"),
      AppID.isValid(groupIdentifier)
    else { return nil }
    let folder = URL(fileURLWithPath: groups, isDirectory: true)
      .appendingPathComponent(groupIdentifier, isDirectory: true)
    let isThere: Void? = try? createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return isThere.map { folder }
  }
}
