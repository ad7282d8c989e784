import NightjarPlatform

/// The home of a service, given by the variables that its unit passes to the daemon.
struct ServiceHome: Sendable {
  private static let names = ["NIGHTJAR_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]

  /// Variables that a daemon needs to find the home.
  let variables: [String: String]
  private let home: Home

  /// The home that an environment names.
  ///
  /// - Throws: `CommandError` if it names none.
  init(environment: [String: String]) throws(CommandError) {
    home = try DaemonHome.home(environment)
    let variables = environment.filter { Self.names.contains($0.key) && !$0.value.isEmpty }
    self.variables = variables["NIGHTJAR_HOME"].map { ["NIGHTJAR_HOME": $0] } ?? variables
  }

  /// The home of a daemon that a unit starts, for a user with this environment.
  ///
  /// - Throws: `CommandError` if the unit's variables name none.
  init(unit text: String, environment: [String: String]) throws(CommandError) {
    let others = environment.filter { !Self.names.contains($0.key) }
    try self.init(environment: others.merging(ServiceUnits.variables(in: text)) { $1 })
  }

  /// Its name for people: the folder that they named, else the one with its data.
  var name: String { variables["NIGHTJAR_HOME"] ?? home.data }

  /// The folders that hold everything of it.
  var folders: [String] { home.folders }

  /// The shell command that uninstalls its service, whatever variables the shell has.
  var uninstalling: String {
    if let folder = variables["NIGHTJAR_HOME"] { return "nightjar --home \(Self.quoted(folder)) service uninstall" }
    let without = Self.names.map { "-u \($0) " }.joined()
    let with = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.quoted($0.value)) " }.joined()
    return "env \(without)\(with)nightjar service uninstall"
  }

  /// The same for the shell whose environment names this home.
  var uninstallingHere: String { variables.isEmpty ? "nightjar service uninstall" : uninstalling }

  /// A word quoted for a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Whether both are the same home, however they are named.
  func isSame(as other: ServiceHome) -> Bool { home == other.home }
}
