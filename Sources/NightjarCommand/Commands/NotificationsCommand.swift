import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar notifications`.
struct NotificationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications", abstract: "The notification centre: list, tap and put away what apps have to tell.",
    subcommands: [List.self, Tap.self, Dismiss.self, Clear.self], defaultSubcommand: List.self)
}

extension NotificationsCommand {
  /// `nightjar notifications list`.
  struct List: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List what lies in the notification centre, the newest first.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.ListNotices.self)
      try context.show(reply, orLines: context.lines(of: Self.table(reply.notices), ifEmpty: "No notifications."))
    }

    /// A few lines of a terminal: an app may write far more than a person wants to read in a list.
    private static let textColumnsMax = 400

    static func table(_ notices: [ControlInterface.Notice]) -> Table {
      var table = Table([
        .init(heading: "ID", side: .right), .init(heading: "FIRED"), .init(heading: "APP", columnsMax: 40),
        .init(heading: "TEXT", mayMoveBelow: true),
      ])
      for notice in notices {
        table.append([
          Table.Cell("\(notice.id)"), Table.Cell(CalendarTime.words(ofNanoseconds: notice.firedAt * 1_000_000)),
          Table.Cell(notice.app), Table.Cell(DisplayText(words(of: notice)).truncated(to: textColumnsMax)),
        ])
      }
      return table
    }

    /// The lines of the title and the text, in one line.
    private static func words(of notice: ControlInterface.Notice) -> String {
      let title = notice.title?.split(separator: "\n").map(String.init) ?? []
      return (title + [notice.body]).joined(separator: ": ")
    }
  }

  /// `nightjar notifications tap`.
  struct Tap: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "tap", abstract: "Open the app of a notification by it, as a person does who taps it.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "The notification's number.") var id: Int64

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.TapNotice.self, .init(id: id))
      try context.show(reply, orLines: ["Its app runs as process \(reply.pid)."])
    }
  }

  /// `nightjar notifications dismiss`.
  struct Dismiss: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss", abstract: "Put notifications away; their apps do not hear of it.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "The notifications' numbers.") var ids: [Int64]

    func run(in context: Context) async throws { try await context.dismiss(ids) }
  }

  /// `nightjar notifications clear`.
  struct Clear: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Put all notifications away.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.ListNotices.self)
      try await context.dismiss(reply.notices.map(\.id), unlessGone: true)
    }
  }
}

extension Context {
  /// Removes notifications, and goes on with the rest if one does not exist.
  ///
  /// - Parameter unlessGone: Whether one that no longer exists is ignored.
  /// - Throws: `CommandError` with the status of the first refusal, once all were tried; `ClientError` if the daemon is
  ///   gone.
  fileprivate func dismiss(_ ids: [Int64], unlessGone: Bool = false) async throws {
    let daemon = try connect()
    var (dismissed, first) = ([Int64](), ClientError?.none)
    for id in ids {
      do throws(ClientError) {
        _ = try await daemon.call(ControlInterface.DismissNotice.self, .init(id: id))
        dismissed.append(id)
      } catch {
        guard error.code == .refused else { throw error }
        if unlessGone, error.failure is ControlInterface.NoSuchNotice { continue }
        notice(error.detail)
        first = first ?? error
      }
    }
    let count = dismissed.count
    try show(["dismissed": dismissed], orLines: ["Put \(count) notification\(count == 1 ? "" : "s") away."])
    if let first { throw CommandError.silent(ExitStatus(first)) }
  }
}
