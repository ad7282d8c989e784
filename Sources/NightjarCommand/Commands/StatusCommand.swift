import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar status`.
struct StatusCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell how the daemon is, and what it must do without on this machine.")
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws {
    let reply = try await context.connect().call(ControlInterface.Status.self)
    try context.show(reply, orLines: Self.lines(reply))
  }

  static func lines(_ status: ControlInterface.Status.Reply) -> [String] {
    var facts: [(String, String)] = [
      ("daemon", "\(status.version), process \(status.pid)"), ("home", status.home), ("socket", status.socket),
      ("apps", "\(status.apps)"),
      ("transfers", "\(status.transfers) (\(status.running) running)"),
      ("events", "\(status.waiting) not yet told to apps"),
    ]
    facts += status.device?.facts ?? [("network", status.online ? "online" : "offline")]
    if status.degraded.isEmpty { facts.append(("missing", "nothing")) }
    for (index, lack) in status.degraded.enumerated() { facts.append((index == 0 ? "missing" : "", lack)) }
    return FactSheet.lines(facts)
  }
}

/// Names on the left, their facts on the right.
enum FactSheet {
  static func lines(_ facts: [(name: String, text: String)]) -> [String] {
    let columns = facts.map(\.name.count).max() ?? 0
    return facts.map { name, text in
      let padding = String(repeating: " ", count: columns - name.count)
      return "\(name)\(padding)  \(DisplayText(text))"
    }
  }
}
