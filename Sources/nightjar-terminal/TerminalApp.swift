import Foundation
import Nightjar

/// Where the program begins: it becomes an app only in a bundle. From elsewhere it would register itself as a program
/// that nobody has written.
@main
@MainActor
enum TerminalApp {
  static func main() {
    guard HostedProgram.isInBundle else {
      let words = "nightjar-terminal is no command: the daemon starts it in an app's bundle, which is made by\n"
      FileHandle.standardError.write(Data((words + "  nightjar bundle NAME --terminal -- COMMAND\n").utf8))
      exit(2)
    }
    AppDelegate.main()
  }
}
