import FoundationEssentials
import Glibc
import NightjarPlatform

/// An app made of a terminal and the program that runs in it.
struct TerminalRecipe: Sendable {
  /// The bundle's name, and what people see.
  let name: String
  let identifier: String
  /// The program and its arguments.
  let command: [String]
  /// The `nightjar-terminal` that becomes the app's executable.
  let host: String
  /// A folder whose contents go into the bundle, such as an icon, and an `Info.plist` that names it; nil if there is
  /// none.
  let files: String?
  /// The folder that the bundle is put into.
  let output: String

  /// Makes the bundle, checks it, and puts it in its place in one step; an earlier one is replaced, and nothing else.
  ///
  /// - Throws: `CommandError`, naming what is wrong; what stood in the bundle's place is unchanged then.
  func make() throws(CommandError) -> AppBundle {
    let plist = try plist()
    do throws(PlatformError) {
      let draft = try FolderDraft(for: "\(output)/\(name).app")
      if let files { try draft.copyContents(of: files) }
      if draft.has("Info.plist") { unlink("\(draft.path)/Info.plist") }  // It does not name the program.
      try draft.write(plist, to: "Info.plist")
      try draft.copy(host, as: name)
      try draft.checkBundle()
      try draft.settleAsBundle()
      return try AppBundle(at: draft.place)
    } catch {
      throw CommandError(making: "\(name).app", in: output, error)
    }
  }

  /// The `Info.plist` among the files, or a generated one, with the program in it.
  private func plist() throws(CommandError) -> String {
    let own = files.flatMap { FileManager.default.contents(atPath: "\($0)/Info.plist") }
    var text = own.map { String(decoding: $0, as: UTF8.self) } ?? InfoPlist(name: name, identifier: identifier).text
    guard let end = text.ranges(of: "</dict>").last, !text.contains(Self.key) else {
      throw CommandError(
        .usage, "The Info.plist in \(files ?? "") has to be XML, and without \(Self.key), which --terminal puts in.")
    }
    guard command.allSatisfy(\.fitsXML) else {
      throw CommandError(
        .usage, "The program and its arguments are kept in an Info.plist, which takes no control characters.")
    }
    let words = command.map { "\t\t<string>\($0.escapedForXML)</string>\n" }.joined()
    text.insert(contentsOf: "\t<key>\(Self.key)</key>\n\t<array>\n\(words)\t</array>\n", at: end.lowerBound)
    return text
  }

  private static let key = "NightjarTerminalCommand"
}

extension String {
  /// Whether XML can contain all its characters and a parser preserves them (XML 1.0, sections 2.2 and 2.11).
  fileprivate var fitsXML: Bool {
    unicodeScalars.allSatisfy { $0 >= " " && $0 != "\u{FFFE}" && $0 != "\u{FFFF}" || $0 == "\t" || $0 == "\n" }
  }
}
