import ArgumentParser
import Glibc
import Logging
import NightjarDaemon
import NightjarPlatform
import ServiceLifecycle
import SystemPackage
import UnixSignals

/// The daemon's command line: reads the settings and runs it until it is asked to stop.
@main
struct Nightjard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightjard",
    abstract: "Moves files for apps, decides when they may run, and wakes them.",
    discussion: """
      One daemon runs per user. It lives in the XDG folders, or all below NIGHTJAR_HOME if that is set. Bounds are read \
      from nightjard.json in the state folder and from variables such as NIGHTJAR_RUNNING_MAX. Stopping or killing it \
      loses nothing: start it again.
      """,
    version: Daemon.version)

  @Option(
    help: "How much to log: trace, debug, info, notice, warning, error or critical.",
    transform: { name in
      guard let level = Logger.Level(rawValue: name) else { throw ValidationError("'\(name)' is not a log level.") }
      return level
    })
  var logLevel = Logger.Level.info

  @Option(help: "A folder for everything, in place of the XDG folders (as NIGHTJAR_HOME).")
  var home: String?

  @Flag(name: .customLong("settings"), help: "Print every setting with its default and its variable, and end.")
  var printsSettings = false

  func validate() throws {
    if home == "" { throw ValidationError("--home is empty; name a folder, or leave it out.") }
  }

  mutating func run() throws {
    if printsSettings { return Self.show(Settings.table.joined(separator: "\n")) }
    Heap.returnLargeBlocks()
    let (isBatch, mask) = (Scheduling.beginBatch(), Self.readUmask())
    try QuietExecutor().run { [logLevel, home] in
      try await Self.serve(home: home, logLevel, isBatch: isBatch, umask: mask)
    }
  }

  /// Ends the process with 1 if help, the version or the settings could not be written.
  static func main() {
    StandardDescriptors.fill()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .success else { exit(withError: error) }
      show(fullMessage(for: error))
    }
  }

  private static func show(_ text: String) {
    do { try FileDescriptor.standardOutput.writeAll("\(text)\n".utf8) } catch {
      _ = try? FileDescriptor.standardError.writeAll("nightjard: cannot write to the standard output: \(error)\n".utf8)
      Glibc.exit(1)
    }
  }

  /// Runs the daemon until it is asked to stop.
  private static func serve(
    home: String?, _ logLevel: Logger.Level, isBatch: Bool, umask: UInt32
  ) async throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "nightjard")
    logger.logLevel = logLevel
    let read = try Settings.read(home: home)
    for words in read.strangers { logger.warning("\(words)") }
    var settings = read.settings
    detach()
    settings.umask = umask
    (settings.launcher.filesMax, settings.launcher.areOrdinary) = (raiseFilesMax(), isBatch)
    try checkFilesMax()
    let daemon = Daemon(settings, logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: daemon, successTerminationBehavior: .gracefullyShutdownGroup)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }

  /// Lets the daemon outlive its terminal, the reader of its log and files that grow to the bound on their size (a full
  /// disk to whoever writes them), and keep no working folder busy.
  private static func detach() {
    for number in [SIGHUP, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    _ = chdir("/")
  }

  /// The umask that the daemon was started with. It can only be read by changing it, so this comes before any thread
  /// that makes files.
  private static func readUmask() -> UInt32 {
    let mask = umask(0o077)
    umask(mask)
    return UInt32(mask)
  }

  /// Raises the limit of file descriptors to the hard limit. Returns the original limit, which apps get.
  private static func raiseFilesMax() -> UInt64? {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var bounds = rlimit()
    guard getrlimit(files, &bounds) == 0 else { return nil }
    let before = UInt64(bounds.rlim_cur)
    bounds.rlim_cur = bounds.rlim_max
    return setrlimit(files, &bounds) == 0 ? before : nil
  }

  /// Refuses a limit of file descriptors with which some later call would fail, or trap.
  private static func checkFilesMax() throws(PlatformError) {
    let (needed, files) = (64 as rlim_t, __rlimit_resource_t(RLIMIT_NOFILE.rawValue))
    var bounds = rlimit()
    guard getrlimit(files, &bounds) == 0, bounds.rlim_cur < needed else { return }
    throw PlatformError(
      .system(EMFILE),
      "the daemon may open \(bounds.rlim_cur) files, and needs \(needed) to begin with; raise the limit "
        + "(ulimit -n, or LimitNOFILE= of its unit)")
  }
}
