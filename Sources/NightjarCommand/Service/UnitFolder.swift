import FoundationEssentials

/// Where systemd looks for a user's own units, which override those of the package.
struct UnitFolder: Sendable {
  /// Where the Debian package puts the same units for all users.
  private static let packaged = "/usr/lib/systemd/user"

  private let path: String

  /// The folder of the user with this environment; it need not exist.
  init(environment: [String: String]) {
    let home = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = (home ?? (environment["HOME"] ?? "") + "/.config") + "/systemd/user"
  }

  /// A unit's text as it stands in the folder.
  func text(of unit: String) -> String? { Self.text("\(path)/\(unit)") }

  /// A unit's text in the package.
  func packagedText(of unit: String) -> String? { Self.text("\(Self.packaged)/\(unit)") }

  /// The effective text of each existing unit.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for unit in ServiceUnits.names { texts[unit] = text(of: unit) ?? packagedText(of: unit) }
    return texts
  }

  /// The existing files that this program wrote.
  var files: [String] {
    ServiceUnits.names.filter { text(of: $0).map(ServiceUnits.wrote) ?? false }.map { "\(path)/\($0)" }
  }

  /// - Throws: `CommandError` if a foreign unit of one of the names exists, which nothing here changes.
  func checkOwn() throws(CommandError) {
    for name in ServiceUnits.names {
      guard let text = text(of: name), !ServiceUnits.wrote(text) else { continue }
      throw CommandError(
        .refused, "\(path)/\(name) stands there and was not written by this program; move it away first.")
    }
  }

  /// Writes the units, unless the package has installed identical ones for all users; then removes those that would
  /// override the package's.
  ///
  /// - Returns: The files that were written.
  /// - Throws: `CommandError` as ``checkOwn()``, or if they cannot be written.
  func write(_ units: ServiceUnits) throws(CommandError) -> [String] {
    try checkOwn()
    let texts = units.texts.sorted { $0.key < $1.key }
    if texts.allSatisfy({ packagedText(of: $0.key) == $0.value }) {
      _ = remove()
      return []
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (name, text) in texts {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
      }
    } catch {
      throw CommandError(.failed, "The units could not be written to \(path): \(error).")
    }
    return texts.map { "\(path)/\($0.key)" }
  }

  /// Removes the units that this program wrote.
  ///
  /// - Returns: The files that were removed.
  func remove() -> [String] { files.filter { (try? FileManager.default.removeItem(atPath: $0)) != nil } }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
