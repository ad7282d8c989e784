import ArgumentParser
import NightjarClient
import NightjarWire

extension TransfersCommand {
  /// `nightjar transfers pause`.
  struct Pause: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause", abstract: "Suspend transfers: what they have is kept.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "The transfers' numbers.") var transfers: [TransferNumber]

    func validate() throws { for transfer in transfers { try transfer.check() } }

    func run(in context: Context) async throws {
      try await context.each(transfers, "paused") {
        _ = try await $0.call(ControlInterface.Pause.self, .init(id: $1))
        return "paused"
      }
    }
  }

  /// `nightjar transfers resume`.
  struct Resume: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "Let suspended transfers go on, and waiting ones try again at once.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "The transfers' numbers.") var transfers: [TransferNumber]

    func validate() throws { for transfer in transfers { try transfer.check() } }

    func run(in context: Context) async throws {
      try await context.each(transfers, "resumed") {
        _ = try await $0.call(ControlInterface.Resume.self, .init(id: $1))
        return "resumed"
      }
    }
  }

  /// `nightjar transfers cancel`.
  struct Cancel: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "cancel",
      abstract: "Cancel transfers, or remove ended ones from the list; what was delivered stays.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "The transfers' numbers.") var transfers: [TransferNumber]

    func validate() throws { for transfer in transfers { try transfer.check() } }

    func run(in context: Context) async throws {
      try await context.each(transfers, "cancelled") {
        let before = try? await $0.call(ControlInterface.ShowTransfer.self, .init(id: $1)).transfer
        _ = try await $0.call(ControlInterface.Cancel.self, .init(id: $1))
        return before?.state.isEnd == true ? "removed from the list" : "cancelled"
      }
    }
  }
}

extension Context {
  /// Does the same to several transfers, and goes on with the rest if one is refused; the deed reports each result.
  ///
  /// - Throws: `CommandError` with the status of the first refusal, once all were tried; `ClientError` if the daemon is
  ///   gone.
  fileprivate func each(
    _ transfers: [TransferNumber], _ done: String, deed: (DaemonConnection, Int64) async throws -> String
  ) async throws {
    let connection = try connect()
    var (changed, first) = ([Int64](), ClientError?.none)
    for transfer in transfers {
      do {
        let outcome = try await deed(connection, transfer.id)
        if !wantsJSON { console.output.line("Transfer \(transfer.id): \(outcome)") }
        changed.append(transfer.id)
      } catch let error as ClientError where error.code == .refused {
        notice(error.detail)
        first = first ?? error
      }
    }
    if wantsJSON { try show([done: changed], orLines: []) }
    if let first { throw CommandError.silent(ExitStatus(first)) }
  }
}
