import FoundationEssentials

/// Where systemd looks for a user's own units, which go before those of the package.
struct UnitFolder: Sendable {
  /// Where the Debian package puts the same units for everybody.
  private static let packaged = "/usr/lib/systemd/user"

  private let path: String

  /// The folder of the user with this environment; it need not be there.
  init(environment: [String: String]) {
    let home = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = (home ?? (environment["HOME"] ?? "") + "/.config") + "/systemd/user"
  }

  /// A unit's text as it stands in the folder.
  func text(of unit: String) -> String? { Self.text("\(path)/\(unit)") }

  /// A unit's text as the package has brought it.
  func packagedText(of unit: String) -> String? { Self.text("\(Self.packaged)/\(unit)") }

  /// The text that systemd reads of each unit that is there.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for unit in ServiceUnits.names { texts[unit] = text(of: unit) ?? packagedText(of: unit) }
    return texts
  }

  /// The files that were written here.
  var files: [String] {
    ServiceUnits.names.filter { text(of: $0).map(ServiceUnits.wrote) ?? false }.map { "\(path)/\($0)" }
  }

  /// Writes the units, unless the package has installed the very same for everybody; then those that would go before the
  /// package's are removed.
  ///
  /// - Returns: The files that were written.
  /// - Throws: `CommandError` if another unit of the name stands there, which is left as it is.
  func write(_ units: ServiceUnits) throws(CommandError) -> [String] {
    let texts = units.texts.sorted { $0.key < $1.key }
    for (name, _) in texts {
      guard let old = text(of: name), !ServiceUnits.wrote(old) else { continue }
      throw CommandError(
        .refused, "\(path)/\(name) stands there and was not written by this program; move it away first.")
    }
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

  /// Removes the units that were written here.
  ///
  /// - Returns: The files that are gone.
  func remove() -> [String] { files.filter { (try? FileManager.default.removeItem(atPath: $0)) != nil } }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
