import FoundationEssentials
import NightjarClient
import NightjarPlatform
import NightjarWire

/// The daemon as a service of this user: its units on the disk, and what systemd makes of them.
struct Service: Sendable {
  let context: Context
  let systemd: Systemd
  private let environment: [String: String]

  init(_ context: Context) async throws(CommandError) {
    guard let environment = context.home.environment else {
      throw CommandError(.usage, "NIGHTJAR_SOCKET names a socket only; unset it, or name a home with --home.")
    }
    self.context = context
    self.environment = environment
    systemd = try await Systemd(environment: context.surroundings.environment)
  }

  /// Where systemd looks for a user's own units.
  var folder: String {
    let home = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (home ?? (environment["HOME"] ?? "") + "/.config") + "/systemd/user"
  }

  /// Where the Debian package puts the same units for everybody.
  private static let packaged = "/usr/lib/systemd/user"

  private func path(_ unit: String) -> String { "\(folder)/\(unit)" }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The units for this home and the daemon beside this program.
  func units() throws(CommandError) -> ServiceUnits {
    guard let daemon = context.surroundings.daemonProgram else {
      throw CommandError(.failed, "There is no nightjard beside this program; a service needs one.")
    }
    let named = ["NIGHTJAR_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
    var variables = environment.filter { named.contains($0.key) && !$0.value.isEmpty }
    if variables["NIGHTJAR_HOME"] != nil { variables = variables.filter { $0.key == "NIGHTJAR_HOME" } }
    return ServiceUnits(
      daemon: daemon, socket: variables["NIGHTJAR_HOME"] == nil ? nil : context.home.socket, variables: variables)
  }

  /// Writes the units, unless the package has installed the very same for everybody.
  ///
  /// - Returns: The files that were written.
  /// - Throws: `CommandError` if another unit of the name stands there, which is left as it is.
  func write(_ units: ServiceUnits) throws(CommandError) -> [String] {
    let texts = units.texts.sorted { $0.key < $1.key }
    if texts.allSatisfy({ Self.text("\(Self.packaged)/\($0.key)") == $0.value }) { return [] }
    for (name, _) in texts {
      guard let old = Self.text(path(name)), !ServiceUnits.wrote(old) else { continue }
      throw CommandError(
        .refused, "\(path(name)) stands there and was not written by this program; move it away first.")
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, text) in texts { try Data(text.utf8).write(to: URL(filePath: path(name)), options: .atomic) }
    } catch {
      throw CommandError(.failed, "The units could not be written to \(folder): \(error).")
    }
    return texts.map { path($0.key) }
  }

  /// Removes the units that were written here.
  ///
  /// - Returns: The files that are gone.
  func remove() -> [String] {
    ServiceUnits.names.map(path).filter { path in
      guard let text = Self.text(path), ServiceUnits.wrote(text) else { return false }
      return (try? FileManager.default.removeItem(atPath: path)) != nil
    }
  }

  /// The process id of a daemon that serves this home and is not the service's own; nil if there is none.
  func stranger() async throws -> Int64? {
    guard try await systemd.property("ActiveState", of: "nightjar.service") != "active" else { return nil }
    // A socket that systemd holds would start the daemon only to answer.
    guard try await systemd.property("ActiveState", of: "nightjar.socket") != "active" else { return nil }
    guard let connection = try? context.connect() else { return nil }
    return try await connection.call(ControlInterface.Status.self).pid
  }
}
