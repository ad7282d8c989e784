import ArgumentParser
import NightjarClient
import NightjarPlatform
import NightjarWire

/// `nightjar service`.
struct ServiceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Have the daemon started by systemd, at login or with the machine.",
    subcommands: [Install.self, Uninstall.self, Status.self, Print.self])

  /// `nightjar service install`.
  struct Install: DaemonCommand {
    static let configuration = CommandConfiguration(
      abstract: "Install the daemon as a service of yours, and start it.",
      discussion: """
        Writes nightjar.socket and nightjar.service into your systemd folder, unless the Debian package has installed \
        them, enables both and starts them. Lingering is enabled, so that the daemon runs from the machine's start to \
        its end and not only while you are logged in. A service that runs is started anew where its units change, such as \
        for another home or from another folder; after building anew in the same one, systemctl --user restart nightjar.
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Do not enable lingering: transfers go on only while you are logged in.") var noLinger = false

    func run(in context: Context) async throws {
      let service = try await Service(context)
      let other = try await service.otherHome()
      if let pid = try await service.stranger(besides: other) {
        throw CommandError(
          .refused,
          "A daemon runs already, as process \(pid). End it first (kill \(pid)); the service's goes on where it ends.")
      }
      let written = try await service.install()
      let lingers = noLinger ? try await service.systemd.lingers() : try await service.systemd.enableLingering()
      let installed = Installed(units: written, home: service.home.name, replaces: other?.name, lingering: lingers)
      try context.show(installed, orLines: installed.lines)
    }

    private struct Installed: Encodable {
      var units: [String]
      var home: String
      /// The other home whose service this replaces, if any.
      var replaces: String?
      var lingering: Bool?

      var lines: [String] {
        var lines = units.isEmpty ? ["The units came with the package."] : units.map { "Wrote \($0)" }
        lines.append("The daemon runs, and starts with your session.")
        if let replaces { lines.append("It serves \(home), in place of \(replaces).") }
        lines.append(Install.words(lingering))
        return lines
      }
    }

    static func words(_ lingers: Bool?) -> String {
      lingers == true
        ? "Lingering is enabled: it runs without a session, too, from the start of the machine."
        : """
        Lingering is NOT enabled: when you log out, the daemon and all apps end, and transfers wait for your next login. \
        Enable it: loginctl enable-linger (an administrator may have to).
        """
    }
  }

  /// `nightjar service uninstall`.
  struct Uninstall: DaemonCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop the service and remove its units; with --purge everything of Nightjar's.",
      discussion: """
        Apps that run go on, and everything that is queued stays for the next daemon. --purge removes that, too: every \
        app with its container, every transfer, the database and the logs. Downloads that were delivered stay. The \
        daemon is ended for that even if it is not the service's. Without systemd --purge does that alone. While an app \
        does not end, nothing is removed or cancelled, though other apps have been ended.
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Remove all apps, containers, transfers, logs and settings as well.") var purge = false

    func run(in context: Context) async throws {
      guard let service = try await Service.find(context) else { return try await runWithoutSystemd(context) }
      try await service.checkOwn(purges: purge)
      let home = try Purge(context)
      let ended = purge ? try await home.endApps() : []
      var removed = try await service.uninstall()
      let removal = purge ? try await home.endDaemonAndRemove() : Home.Removal(stays: home.folders)
      removed += removal.gone
      let uninstalled = Uninstalled(
        ended: removal.ended(after: ended), removed: removed, stays: removal.stays, systemd: true)
      let hint = purge ? [] : ["Remove that, too, with: \(service.home.uninstallingHere) --purge"]
      try context.show(uninstalled, orLines: uninstalled.lines + hint)
    }

    /// Removes the home's files although there is no service to uninstall.
    private func runWithoutSystemd(_ context: Context) async throws {
      guard purge else { throw CommandError(.refused, Systemd.instead) }
      let home = try Purge(context)
      let ended = try await home.endApps()
      let removal = try await home.endDaemonAndRemove()
      let units = UnitFolder(environment: try context.home.environment ?? [:]).files
      let uninstalled = Uninstalled(
        ended: removal.ended(after: ended), removed: removal.gone, stays: removal.stays + units, systemd: false)
      try context.show(uninstalled, orLines: uninstalled.lines)
    }

    private struct Uninstalled: Encodable {
      /// Apps.
      var ended: [String]
      /// Files and folders.
      var removed: [String], stays: [String]
      /// Whether there is a systemd to uninstall the service from.
      var systemd: Bool

      var lines: [String] {
        var lines = ended.map { "Ended \($0)" } + removed.map { "Removed \($0)" }
        lines.append(
          systemd ? "The service is uninstalled." : "No systemd of yours answers, so no service was uninstalled.")
        return lines + stays.map { "Stays: \(DisplayText($0))" }
      }
    }
  }

  /// `nightjar service print`, for those who make packages.
  struct Print: DaemonCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a unit, for a package that installs it for everybody.", shouldDisplay: false)
    @OptionGroup var common: CommonOptions
    @Argument(help: "nightjar.socket or nightjar.service.") var unit: String
    @Option(help: "The absolute path of nightjard.") var daemon = "/usr/bin/nightjard"

    func validate() throws {
      guard common.home == nil else {
        throw ValidationError("The units are for everybody, and each has a home of their own; leave --home out.")
      }
      guard daemon.hasPrefix("/") else {
        throw ValidationError("A unit names its program by an absolute path, and '\(daemon)' is none.")
      }
    }

    func run(in context: Context) async throws {
      struct Printed: Encodable { var unit: String, text: String }
      guard let text = ServiceUnits(daemon: daemon, socket: nil, variables: [:]).texts[unit] else {
        throw CommandError(
          .usage, "There is no unit \(unit); there are \(ServiceUnits.names.joined(separator: " and ")).")
      }
      let withoutLastBreak = String(text.dropLast())
      try context.show(Printed(unit: unit, text: text), orLines: [withoutLastBreak])
    }
  }

  /// `nightjar service status`.
  struct Status: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Tell whether the service is installed and runs.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      guard let service = try await Service.find(context) else {
        try context.show(State.withoutSystemd, orLines: [])
        throw CommandError(.refused, Systemd.instead)
      }
      let state = try await State(service.systemd)
      try context.show(state, orLines: FactSheet.lines(state.facts))
      guard state.installed else {
        throw CommandError(.notFound, "The service is not installed: nightjar service install")
      }
    }

    /// systemd's state of both units, by their names.
    private struct State: Encodable {
      /// `active`, `inactive`, `failed` and the like.
      var units: [String: String] = [:]
      /// Whether they are enabled to start automatically.
      var enabled: [String: Bool] = [:]
      /// Their files, if they are installed.
      var files: [String: String] = [:]
      var lingering: Bool?
      var installed: Bool
      /// Whether there is a systemd to ask.
      var systemd: Bool
      /// The same for people.
      let facts: [(name: String, text: String)]

      private enum CodingKeys: CodingKey { case units, enabled, files, lingering, installed, systemd }

      static let withoutSystemd = State()

      private init() { (installed, systemd, facts) = (false, false, []) }

      init(_ systemd: Systemd) async throws(CommandError) {
        var facts: [(name: String, text: String)] = []
        for name in ServiceUnits.names {
          let file = try await systemd.property("FragmentPath", of: name)
          let state = try await systemd.property("ActiveState", of: name)
          let start = try await systemd.property("UnitFileState", of: name)
          units[name] = state
          enabled[name] = Systemd.isEnabled(start)
          if !file.isEmpty { files[name] = file }
          facts.append((name, file.isEmpty ? "not installed" : "\(state), \(start), from \(file)"))
        }
        lingering = try await systemd.lingers()
        (installed, self.systemd) = (files.count == ServiceUnits.names.count, true)
        let words = lingering.map { $0 ? "enabled" : "not enabled: it ends when you log out" } ?? "unknown"
        facts.append(("lingering", words))
        self.facts = facts
      }
    }
  }
}

extension Home.Removal {
  /// All apps that were ended, each once: the daemon may have launched one again.
  fileprivate func ended(after before: [String]) -> [String] { before + ended.filter { !before.contains($0) } }
}
