import ArgumentParser
import NightjarModel

/// The names of commands that a person typed. For an unknown command the parser's own message would speak of arguments.
struct CommandWords {
  private let words: ArraySlice<String>

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.first, option.hasPrefix("-") {
      guard option == "--json" || option.hasPrefix("--home") else { break }  // Only the parser knows of others.
      rest = rest.dropFirst(option == "--home" ? 2 : 1)
    }
    words = rest.prefix { !$0.hasPrefix("-") }
  }

  /// - Throws: `CommandError` if the first word is no command, or help is requested for an unknown one.
  func check() throws(CommandError) {
    guard words.first == "help" else { return try Self.check(words.first, of: RootCommand.self) }
    var command: any ParsableCommand.Type = RootCommand.self
    for word in words.dropFirst() {
      try Self.check(word, of: command)
      guard let next = Self.subcommand(word, of: command) else { return }
      command = next
    }
  }

  /// A suggestion for words that a command does not take.
  var hint: String? {
    guard words.first == "launch", words.count > 2 else { return nil }
    return "What the app is given stands after --, as in: nightjar launch \(words[words.startIndex + 1]) -- "
      + words.dropFirst(2).joined(separator: " ")
  }

  private static func check(_ word: String?, of command: any ParsableCommand.Type) throws(CommandError) {
    guard let word, word != "help", subcommand(word, of: command) == nil else { return }
    let names = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
    let advice = word.nearest(among: names).map { "did you mean \($0)? " } ?? ""
    throw CommandError(.usage, "There is no command '\(word)'; \(advice)`nightjar --help` lists all.")
  }

  private static func subcommand(
    _ word: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { $0._commandName == word }
  }
}
