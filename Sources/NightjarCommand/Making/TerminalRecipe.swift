import FoundationEssentials
import NightjarPlatform

/// An app made of a terminal and the program that runs in it.
struct TerminalRecipe: Sendable {
  /// What the bundle is called, and what people see.
  let name: String
  let identifier: String
  /// The program and its arguments.
  let command: [String]
  /// The `nightjar-terminal` that becomes the app's executable.
  let host: String
  /// The folder that the bundle is put into.
  let output: String

  /// Makes the bundle, checks it, and puts it in its place in one step; an earlier one is replaced.
  ///
  /// - Throws: `CommandError`, naming what is wrong; then an earlier bundle stands as it was.
  func make() throws(CommandError) -> AppBundle {
    do throws(PlatformError) {
      let draft = try FolderDraft(for: "\(output)/\(name).app")
      try draft.write(plist, to: "Info.plist")
      try draft.copy(host, as: name)
      try draft.settle(replaces: true)
      return try AppBundle(at: draft.place)
    } catch {
      throw CommandError(.failed, "\(name).app cannot be made: \(error.detail).")
    }
  }

  private var plist: String {
    let words = command.map { "\t\t<string>\($0.escapedForXML)</string>\n" }.joined()
    let key = "\t<key>NightjarTerminalCommand</key>\n\t<array>\n\(words)\t</array>\n"
    return InfoPlist(name: name, identifier: identifier).text.replacing("</dict>", with: key + "</dict>")
  }
}

extension String {
  fileprivate var escapedForXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
