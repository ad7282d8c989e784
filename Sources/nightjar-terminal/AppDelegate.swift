import Foundation
import Nightjar

/// An app whose view is the screen of a terminal in which a program runs: the one that `NightjarTerminalCommand` names
/// in the bundle's `Info.plist`. `nightjar bundle --terminal` makes such bundles. The app ends with its program.
final class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    do {
      let screen = TerminalScreen()
      try screen.run(try HostedProgram.ofBundle())
      window = UIWindow()
      window?.rootViewController = screen
      window?.makeKeyAndVisible()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
    return true
  }
}
