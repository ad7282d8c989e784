import ArgumentParser
import Foundation

/// `nightjar-demo`: kills an app and its daemon in the middle of their transfers, and checks that nothing is lost.
@main
struct NightjarDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightjar-demo",
    abstract: "Kills an app and the daemon in the middle of transfers, and shows that everything arrives.",
    discussion: """
      Everything runs on loopback and in a folder of its own, which is removed in the end unless something was not as \
      promised. Exits with 0 only if every promise was kept, and with 130 after Ctrl-C.
      """)

  @Flag(help: "End by itself, rather than stay for a person to look around.")
  var once = false

  @Option(help: ArgumentHelp("Where the programs lie that swift build has made.", valueName: "folder"))
  var programs = ""

  @Option(help: .hidden) var heirOf: String?

  @Option(help: ArgumentHelp("The files of VideoFarm's bundle beside its program.", valueName: "folder"))
  var resources = "Examples/VideoFarm/Bundle"

  func validate() throws {
    guard !programs.isEmpty || heirOf != nil else {
      throw ValidationError("Say with --programs where the programs lie.")
    }
  }

  func run() async throws {
    if let heirOf { return Heir.serve(heirOf) }
    guard try await perform() else { throw ExitCode.failure }
  }

  @MainActor
  private func perform() async throws -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let interrupts = Interrupts()
    let screen = Screen(environment: environment)
    let grounds = try Grounds(programs: programs, environment: environment)
    let heir = try Heir(of: grounds.folder)
    defer { heir.dismiss() }
    let play = Play(Plan(), on: grounds, environment: environment, interrupts: interrupts, screen: screen)
    do {
      try await play.run(resources: resources)
    } catch is Interrupted {
      screen.close()
      await Curtain(play: play).fall()
      grounds.remove()
      throw ExitCode(130)
    } catch {
      play.breakOff(error)
    }
    return try await conclude(play, grounds, screen, interrupts)
  }

  /// Judges, shows, stays if it is to stay, and tidies up.
  @MainActor
  private func conclude(
    _ play: Play, _ grounds: Grounds, _ screen: Screen, _ interrupts: Interrupts
  ) async throws -> Bool {
    let checks = Judgement(play: play).checks
    screen.finish(play, checks)
    let failed = checks.filter { !$0.holds }
    if !once { try await stay(grounds, screen, interrupts) }
    await Curtain(play: play).fall()
    guard failed.isEmpty else {
      screen.write("\n\(failed.count) of \(checks.count) promises were not kept: those with ✗ above.\n")
      screen.write("Databases, logs and files were kept in \(grounds.folder)\n")
      return false
    }
    grounds.remove()
    screen.write("\nAll \(checks.count) promises were kept.\n")
    return true
  }

  @MainActor
  private func stay(_ grounds: Grounds, _ screen: Screen, _ interrupts: Interrupts) async throws {
    screen.write(
      """

      The daemon still runs. Look around from another terminal:
        export NIGHTJAR_HOME=\(grounds.homeFolder)
        export PATH=\(grounds.programs):$PATH
        nightjar status
        nightjar log \(Grounds.app)
        nightjar launch \(Grounds.app)
        nightjar transfers --all
      q or Ctrl-C ends it all.

      """)
    try await interrupts.wait(for: Keys())
  }
}
