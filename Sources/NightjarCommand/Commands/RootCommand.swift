import ArgumentParser

/// `nightjar`: the root of all commands.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightjar",
    abstract: "Transfers that survive crashes and reboots, and apps that are woken for them.",
    discussion: """
      For example:
        nightjar download https://example.com/big.iso    Ctrl-C ends only the waiting
        nightjar why 1                                   what transfer 1 waits for
        nightjar new Hello && cd Hello && nightjar run   an app of your own
        nightjar service install                         start the daemon at login

      Exit status:
      \(statusTable)

      The daemon is found by --home, NIGHTJAR_SOCKET, NIGHTJAR_HOME, or in the XDG folders, in this order.
      Completions for your shell: nightjar --generate-completion-script bash|zsh|fish
      """,
    version: Version.current, subcommands: [CompleteCommand.self, ManualCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Transfers",
        subcommands: [DownloadCommand.self, UploadCommand.self, TransfersCommand.self, WhyCommand.self]),
      CommandGroup(
        name: "Making apps",
        subcommands: [NewCommand.self, BundleCommand.self, RunCommand.self, SimulateCommand.self]),
      CommandGroup(
        name: "Apps",
        subcommands: [
          InstallCommand.self, UninstallCommand.self, AppsCommand.self, LaunchCommand.self, LeaveCommand.self,
          TerminateCommand.self, SwitcherCommand.self, ViewCommand.self, ActCommand.self, NotificationsCommand.self,
          SettingsCommand.self, FetchCommand.self, HabitsCommand.self, CapabilitiesCommand.self, LogCommand.self,
          HistoryCommand.self,
        ]),
      CommandGroup(name: "Trying out", subcommands: [BacktestCommand.self]),
      CommandGroup(
        name: "Daemon", subcommands: [StatusCommand.self, HomeCommand.self, DeviceCommand.self, ServiceCommand.self]),
    ])

  @OptionGroup var common: CommonOptions

  private static var statusTable: String {
    ExitStatus.allCases.map { status in
      let number = "\(status.rawValue)"
      return "  \(String(repeating: " ", count: 3 - number.count))\(number)  \(status.meaning)"
    }.joined(separator: "\n")
  }
}

/// The version of this program.
public enum Version {
  /// Three numbers; see https://semver.org.
  public static let current = "0.1.0"
}
