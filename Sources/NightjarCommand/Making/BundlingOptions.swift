import ArgumentParser
import FoundationEssentials
import NightjarModel
import NightjarPlatform

/// The options that `bundle` and `run` share: which product becomes an app, and how.
struct BundlingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The package; this folder if none is given.", valueName: "folder"), completion: .directory)
  var packagePath: String?

  @Option(
    name: .shortAndLong, help: "How to build: debug, which is the default, or release.",
    completion: .list(["debug", "release"]))
  var configuration: String?

  @Flag(help: "Link Swift's own libraries in, so that the app runs where Swift is not installed.")
  var staticSwiftStdlib = false

  @Flag(help: "Take the product as it was built last.") var skipBuild = false

  @Option(
    help: ArgumentHelp(
      "What goes into the bundle beside the program, Info.plist above all; Bundle/PRODUCT or Bundle in the package if "
        + "none is given.", valueName: "folder"),
    completion: .directory)
  var files: String?

  @Option(help: "The identifier of an app without an Info.plist; com.example.PRODUCT if none is given.")
  var identifier: NewIdentifier?

  @Option(
    help: ArgumentHelp(
      "Where to put the bundle; if none is given .build/bundles in the package, or this folder for `bundle --terminal`.",
      valueName: "folder"),
    completion: .directory)
  var output: String?

  /// - Throws: `ValidationError` for invalid options.
  func check() throws {
    if let configuration, !["debug", "release"].contains(configuration) {
      throw ValidationError("'\(configuration)' is no configuration; there are debug and release.")
    }
    try identifier?.check()
    let folders: [(option: String, path: String?)] = [
      ("--package-path", packagePath), ("--files", files), ("--output", output),
    ]
    guard let empty = folders.first(where: { $0.path == "" }) else { return }
    throw ValidationError("\(empty.option) is empty; name a folder, or leave it out.")
  }

  /// The given options about what is built, and how.
  var ofBuilding: [String] {
    let options: [(name: String, isGiven: Bool)] = [
      ("--package-path", packagePath != nil), ("--configuration", configuration != nil),
      ("--static-swift-stdlib", staticSwiftStdlib), ("--skip-build", skipBuild),
    ]
    return options.filter(\.isGiven).map(\.name)
  }

  /// Builds the product and makes its bundle.
  func bundle(_ product: String?, in context: Context) async throws -> AppBundle {
    let surroundings = context.surroundings
    let folder = try surroundings.absolute(packagePath ?? ".")
    let package = try await SwiftPackage(at: folder, environment: surroundings.environment)
    let product = try package.product(product)
    let options = ["-c", configuration ?? "debug"] + (staticSwiftStdlib ? ["--static-swift-stdlib"] : [])
    if !skipBuild { try await package.build(product, options) }
    let recipe = BundleRecipe(
      product: product, programs: try await package.programs(options),
      files: try filesFolder(of: product, package: folder, surroundings),
      identifier: identifier?.text ?? "com.example.\(product)",
      output: try surroundings.absolute(output ?? "\(folder)/.build/bundles"))
    let (bundle, isPlistMadeUp) = try recipe.make()
    if isPlistMadeUp {
      context.notice("The package has no Bundle/Info.plist, so one was made up, with the identifier \(bundle.id).")
    }
    return bundle
  }

  /// Makes an app of a terminal and the program in it, the first word of the command.
  func terminal(_ name: String, running command: [String], in context: Context) throws -> AppBundle {
    let surroundings = context.surroundings
    let folder = surroundings.program.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) } ?? ""
    let host = folder + "/nightjar-terminal"
    guard FileManager.default.isExecutableFile(atPath: host) else {
      throw CommandError(
        .failed, "There is no \(host), which shows the program: swift build --product nightjar-terminal")
    }
    let files = try namedFiles(surroundings)
    let program = try Self.place(of: command[0], files: files, in: context)
    let recipe = TerminalRecipe(
      name: name, identifier: identifier?.text ?? "com.example.\(name)", command: [program] + command.dropFirst(),
      host: host, files: files, output: try surroundings.absolute(output ?? "."))
    return try recipe.make()
  }

  /// The program's path in the bundle's command. A relative path stays relative if the program is among the files;
  /// otherwise it is resolved from the working folder. A bare name is looked up along `PATH` at each launch.
  private static func place(
    of program: String, files: String?, in context: Context
  ) throws(CommandError) -> String {
    let surroundings = context.surroundings
    guard program.contains("/") else {
      if Tool.path(of: program, environment: surroundings.environment) == nil {
        context.notice("There is no program \(program) along PATH; the app needs one whenever it is launched.")
      }
      return program
    }
    guard !program.hasPrefix("/"), files.map({ Tool.isProgram("\($0)/\(program)") }) != true else { return program }
    let path = try surroundings.absolute(program)
    guard Tool.isProgram(path) else {
      throw CommandError(
        .usage,
        "There is no program \(program): neither among --files, to go into the bundle, nor from here, as \(path).")
    }
    return path
  }

  private func filesFolder(
    of product: String, package: String, _ surroundings: Surroundings
  ) throws(CommandError) -> String? {
    if let named = try namedFiles(surroundings) { return named }
    return ["\(package)/Bundle/\(product)", "\(package)/Bundle"].first(where: Self.isFolder)
  }

  /// The folder given for the files beside the program; nil if none was.
  private func namedFiles(_ surroundings: Surroundings) throws(CommandError) -> String? {
    guard let files else { return nil }
    let path = try surroundings.absolute(files)
    guard Self.isFolder(path) else { throw CommandError(.usage, "There is no folder \(files).") }
    return path
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }
}
