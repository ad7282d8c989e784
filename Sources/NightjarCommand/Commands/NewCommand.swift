import ArgumentParser
import Glibc
import NightjarPlatform

/// `nightjar new`.
struct NewCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a new app: a Swift package that builds and runs as it is.",
    discussion: """
      The app refers to Nightjar's sources: in the checkout that this program was built in, or where the Debian package \
      has put them. --nightjar names another place.
      """)
  @OptionGroup var common: CommonOptions
  @Argument(help: ArgumentHelp("The app's name, such as HelloThere; a folder of this name is made here.")) var name:
    NewAppName
  @Option(help: "The app's identifier; com.example.NAME if none is given.") var identifier: NewIdentifier?
  @Option(
    help: ArgumentHelp("The folder or the repository that has Nightjar's sources.", valueName: "path or url"),
    completion: .directory)
  var nightjar: String?

  func validate() throws {
    try name.check()
    try identifier?.check()
    if nightjar == "" { throw ValidationError("--nightjar is empty; name a folder or a repository, or leave it out.") }
  }

  func run(in context: Context) async throws {
    struct Made: Encodable { var made: String, identifier: String, nightjar: String }
    let sources = try NightjarSources(named: nightjar, surroundings: context.surroundings)
    let template = AppTemplate(
      name: name, identifier: identifier?.text ?? "com.example.\(name.text)", sources: sources)
    let place = try context.surroundings.absolute(name.text)
    try Self.make(template, at: place)
    try context.show(
      Made(made: place, identifier: template.identifier, nightjar: sources.text),
      orLines: [
        "Made \(name.text), with Nightjar from \(sources.text).",
        "Next: cd \(name.text) && nightjar run -- https://example.com/index.html",
      ])
  }

  private static func make(_ template: AppTemplate, at place: String) throws(CommandError) {
    do throws(PlatformError) {
      let draft = try FolderDraft(for: place)
      for (path, text) in template.files.sorted(by: { $0.key < $1.key }) { try draft.write(text, to: path) }
      try draft.settle(replaces: false)
    } catch {
      guard !error.meansExists else {
        throw CommandError(.refused, "\(place) exists, and nothing is ever overwritten; choose another name or folder.")
      }
      throw CommandError(.failed, "\(error.detail).")
    }
  }
}

extension PlatformError {
  /// Whether a file of that name exists already.
  var meansExists: Bool { code == .system(EEXIST) }
}
