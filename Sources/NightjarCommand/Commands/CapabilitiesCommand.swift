import ArgumentParser
import FoundationEssentials
import NightjarClient
import NightjarPlatform
import NightjarWire

/// `nightjar capabilities`.
struct CapabilitiesCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "capabilities", abstract: "Show or change what an app declares to do in the background.",
    discussion: """
      Such as: nightjar capabilities Player.app add fetch processing
      A bundle's Info.plist is changed where it lies; nothing else in it is. An installed app is ended and installed anew \
      with what it declares then, if that is something else; its data and transfers stay.
      """)

  /// What to do with the modes.
  enum Deed: String, ExpressibleByArgument, CaseIterable {
    case list, add, remove
  }

  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("An installed app, or the folder of a bundle.", valueName: "app|bundle"),
    completion: CompleteCommand.Words.apps.kind)
  var subject: String
  @Argument(help: "Add modes, remove them, or list all.") var deed = Deed.list
  @Argument(
    help: ArgumentHelp("The modes; `list` shows them.", valueName: "mode"),
    completion: .list(BackgroundMode.allCases.map(\.rawValue)))
  var modes: [String] = []

  func validate() throws {
    guard !subject.isEmpty else { throw ValidationError("Name an installed app, or the path of a bundle.") }
    let named = try Self.modes(modes)
    if deed == .list, !named.isEmpty { throw ValidationError("Say add or remove before the modes.") }
    if deed != .list, named.isEmpty { throw ValidationError("Name what to \(deed.rawValue): \(Self.known).") }
  }

  func run(in context: Context) async throws {
    let surroundings = context.surroundings
    let isBundle =
      subject.contains("/")
      || (try? surroundings.absolute(subject)).map { FileManager.default.fileExists(atPath: $0) } == true
    let declared =
      isBundle ? try change(bundle: surroundings.absolute(subject)) : try await change(installed: subject, in: context)
    try context.show(Self.document(declared), orLines: context.lines(of: Self.table(declared), ifEmpty: ""))
  }

  private func change(bundle: String) throws -> [BackgroundMode] {
    var capabilities = try Capabilities(ofBundle: bundle)
    let named = try Self.modes(modes)
    try capabilities.change(adding: deed == .add ? named : [], removing: deed == .remove ? named : [])
    return capabilities.modes
  }

  /// Changes a copy of the installed bundle, and installs it in its place.
  private func change(installed app: String, in context: Context) async throws -> [BackgroundMode] {
    try AppName(argument: app).check()
    let daemon = try context.connect()
    let found = try await daemon.call(ControlInterface.ListApps.self).apps.first { $0.id == app }
    guard let found else {
      throw CommandError(.notFound, "There is no app \(app). `nightjar apps` lists those that there are.")
    }
    guard let path = found.path else {
      throw CommandError(.refused, "\(app) is a program that registered itself; it declares nothing.")
    }
    let before = try Capabilities(ofBundle: path).modes
    guard deed != .list else { return before }
    let name = path.split(separator: "/").last.map(String.init) ?? "App.app"
    let draft = try FolderDraft(for: FileManager.default.temporaryDirectory.path + "/" + name)
    try draft.copyContents(of: path)
    let declared = try change(bundle: draft.path)
    guard declared != before else { return declared }  // Installing would end a running app for nothing.
    _ = try await daemon.call(ControlInterface.Install.self, .init(path: draft.path))
    return declared
  }

  private static var known: String { BackgroundMode.allCases.map(\.rawValue).joined(separator: ", ") }

  private static func modes(_ names: [String]) throws -> [BackgroundMode] {
    try names.map { name in
      guard let mode = BackgroundMode(rawValue: name) else {
        throw ValidationError("There is no background mode '\(name)'; there are \(known).")
      }
      return mode
    }
  }

  private static func document(_ declared: [BackgroundMode]) -> [String: [String]] {
    ["modes": declared.map(\.rawValue)]
  }

  private static func table(_ declared: [BackgroundMode]) -> Table {
    var table = Table([
      .init(heading: "MODE"), .init(heading: "DECLARED"), .init(heading: "WHAT IT ALLOWS", mayMoveBelow: true),
    ])
    for mode in BackgroundMode.allCases {
      let isDeclared = declared.contains(mode)
      table.append([
        Table.Cell(mode.rawValue), Table.Cell(isDeclared ? "yes" : "no", isDeclared ? .plain : .faint),
        Table.Cell(mode.sentence),
      ])
    }
    return table
  }
}
