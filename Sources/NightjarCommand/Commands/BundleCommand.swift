import ArgumentParser
import NightjarModel
import NightjarPlatform

/// `nightjar bundle`.
struct BundleCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Build a product of a Swift package, and make it an app: a folder Name.app.",
    discussion: """
      With --terminal nothing is built: the app is a terminal of 80 by 24, and what follows -- is the program that runs in \
      it, such as: nightjar bundle Top --terminal -- top -d 5
      A program's name is looked for along PATH whenever the app is launched. A path such as ./top is meant within the \
      bundle if --files brings the program, else from this folder.
      Its icon and its Info.plist are taken from --files, if that is given.
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: "The executable product; may be left out where there is only one.") var product: String?
  @OptionGroup var bundling: BundlingOptions
  @Flag(help: "Make an app of a terminal and a program in it.") var terminal = false
  @Argument(parsing: .postTerminator, help: ArgumentHelp("The program in the terminal.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    try bundling.check()
    guard terminal || !command.isEmpty else { return }
    guard terminal else { throw ValidationError("What follows -- is for --terminal alone.") }
    guard let product, command.first?.isEmpty == false else {
      throw ValidationError("Name the app and its program: nightjar bundle Top --terminal -- top -d 5")
    }
    try NewAppName(argument: product).checkLetters()
    guard bundling.ofBuilding.isEmpty else {
      throw ValidationError(
        "--terminal builds nothing, so it goes without \(bundling.ofBuilding.joined(separator: " and ")).")
    }
  }

  func run(in context: Context) async throws {
    struct Bundled: Encodable { var app: String, path: String }
    let bundle =
      try terminal
      ? bundling.terminal(product ?? "", running: command, in: context)
      : await bundling.bundle(product, in: context)
    try context.show(
      Bundled(app: bundle.id.rawValue, path: bundle.path),
      orLines: [
        "Made \(DisplayText(bundle.path)), the app \(bundle.id).",
        "Next: nightjar install \(DisplayText(ServiceHome.quoted(bundle.path)))",
      ])
  }
}
