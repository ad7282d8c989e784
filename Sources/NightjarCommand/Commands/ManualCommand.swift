import ArgumentParser
import FoundationEssentials

/// `nightjar manual`: the manual page, generated from the commands so that both agree.
struct ManualCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for man(1): nightjar manual | man -l -",
    shouldDisplay: false)
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws {
    struct Dump: Decodable { var command: ManualPage.Command }
    let dump = try JSONDecoder().decode(Dump.self, from: Data(RootCommand._dumpHelp().utf8))
    let lines = ManualPage(dump.command).lines
    try context.show(["manual": lines.joined(separator: "\n")], orLines: lines)
  }
}
