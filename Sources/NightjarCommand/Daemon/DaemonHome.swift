import NightjarClient
import NightjarPlatform
import NightjarWire

/// Where the daemon is: `--home`, else `NIGHTJAR_SOCKET` (set for processes that the daemon launches), else the rules
/// of `Home`.
struct DaemonHome: Sendable {
  private let place: DaemonSocket
  /// The environment in which a daemon would serve this socket; nil if only the socket is known.
  let environment: [String: String]?
  /// What to do if no daemon answers there, and none has the home.
  private let ordinaryRemedy: String

  /// Finds the place; touches nothing.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    var environment = environment
    if let option { environment["NIGHTJAR_HOME"] = option }
    if option == nil, let socket = environment["NIGHTJAR_SOCKET"], !socket.isEmpty {
      (place, self.environment) = (DaemonSocket(own: socket), nil)
      ordinaryRemedy =
        "NIGHTJAR_SOCKET names this socket: start the daemon that has it, or unset the variable, then try again."
      return
    }
    environment["NIGHTJAR_SOCKET"] = nil
    self.environment = environment
    let words = option.map { " --home \(ServiceHome.quoted($0))" } ?? ""
    ordinaryRemedy = "Start it with `nightjard\(words)`, then try again."
    let home = try Self.home(environment)
    place = DaemonSocket(own: home.socket, other: home.socketElsewhere)
  }

  /// The socket's absolute path, as the daemon has it just now.
  var socket: String { place.path }

  /// Makes the folders of the home's state, and returns the log file of a daemon that is started here.
  func prepareLog() throws(CommandError) -> String? {
    guard let environment else { return nil }
    let home = try Self.home(environment)
    do throws(PlatformError) { try home.prepareState() } catch { throw CommandError(.noDaemon, error.detail) }
    return home.state + "/nightjard.log"
  }

  /// The process of the live daemon that has locked the home; it may not answer yet, or no longer.
  var holder: Int32? {
    guard let environment, let home = try? Self.home(environment) else { return nil }
    return HomeLock.holder(of: home)
  }

  /// The same process, if it is certain to have the home just now.
  var certainHolder: Int32? {
    guard let environment, let home = try? Self.home(environment) else { return nil }
    return HomeLock.certainHolder(of: home)
  }

  /// The daemon's process, if it does nothing until it is told to go on.
  ///
  /// - Parameter listener: Who has begun to listen on the socket; asked for only where the home is not known.
  func stoppedProcess(listener: @autoclosure () -> Int32?) -> Int32? {
    process(listener: listener()).flatMap { HomeLock.isStopped($0) ? $0 : nil }
  }

  /// What to do if no daemon answers.
  var remedy: String {
    guard let holder = certainHolder else { return ordinaryRemedy }
    return "Process \(holder) serves this home all the same. If it is not just starting or ending, end it "
      + "(kill \(holder)), then try again."
  }

  /// What to say of a daemon that answers nobody.
  func words(ofSilentListener listener: Int32) -> String {
    let wait = "still waiting (Ctrl-C ends only this)."
    guard let process = process(listener: listener) else {
      return "nightjard has not begun to answer at \(socket); \(wait)"
    }
    let fault = HomeLock.isStopped(process) ? "is stopped (kill -CONT \(process) has it go on)" : "does not answer"
    return "nightjard (process \(process)) has the socket but \(fault); \(wait)"
  }

  /// The daemon's process, as far as it is known. Who has begun to listen may be systemd, so it counts only where the
  /// home, and with it the holder of its lock, cannot be known.
  private func process(listener: @autoclosure () -> Int32?) -> Int32? {
    environment == nil ? listener() : certainHolder
  }

  /// The home that an environment names.
  ///
  /// - Throws: `CommandError` if it names none.
  static func home(_ environment: [String: String]) throws(CommandError) -> Home {
    do throws(PlatformError) { return try Home(environment: environment) } catch {
      throw CommandError(.usage, error.detail)
    }
  }
}
