import ArgumentParser
import NightjarModel
import NightjarPlatform

/// `nightjar bundle`.
struct BundleCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Build a product of a Swift package, and make it an app: a folder Name.app.")
  @OptionGroup var common: CommonOptions
  @Argument(help: "The executable product; may be left out where there is only one.") var product: String?
  @OptionGroup var bundling: BundlingOptions

  func validate() throws { try bundling.check() }

  func run(in context: Context) async throws {
    struct Bundled: Encodable { var app: String, path: String }
    let bundle = try await bundling.bundle(product, in: context)
    try context.show(
      Bundled(app: bundle.id.rawValue, path: bundle.path),
      orLines: ["Made \(DisplayText(bundle.path)), the app \(bundle.id).", "Next: nightjar install \(bundle.path)"])
  }
}
