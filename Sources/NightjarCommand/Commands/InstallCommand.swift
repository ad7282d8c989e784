import ArgumentParser
import FoundationEssentials
import NightjarClient
import NightjarWire

/// `nightjar install`.
struct InstallCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install an app from its bundle, or upgrade it; its data and transfers stay.")
  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("The bundle: a folder Name.app with an Info.plist.", valueName: "bundle"), completion: .directory
  )
  var bundle: String

  func run(in context: Context) async throws {
    let path = try context.surroundings.absolute(bundle)
    try Self.check(path, named: bundle)
    let reply = try await context.connect().call(ControlInterface.Install.self, .init(path: path))
    try context.show(
      reply, orLines: ["Installed \(DisplayText(reply.app.name)) as \(DisplayText(reply.app.id))."])
  }

  private static func check(_ path: String, named name: String) throws(CommandError) {
    var isFolder = false
    guard !name.isEmpty else { throw CommandError(.usage, "The bundle's path is empty; name a folder Name.app.") }
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError(.usage, "There is no bundle \(name); give the path of a folder Name.app.")
    }
    guard isFolder else {
      throw CommandError(.usage, "\(name) is no bundle; a bundle is a folder Name.app with an Info.plist in it.")
    }
  }
}
