public import Foundation
import NightjarModel

extension FileManager {
  /// The folder that all apps share which name this group (Apple's app groups); it is made if it is not there.
  ///
  /// On Linux nobody has to be entitled to a group. The folder lies beside the apps' containers and outlives the apps. An app
  /// that is suspended while it holds a lock on a file in it is ended, as on iOS, since whoever waits for the lock would
  /// wait for as long as the app stands still.
  ///
  /// - Returns: Nil for a name that is no identifier (letters, digits, `.`, `-` and `_`, at most 128, a letter or digit first), and in
  ///   a process that no daemon has launched.
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
