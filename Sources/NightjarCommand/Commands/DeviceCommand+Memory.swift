import ArgumentParser
import NightjarClient
import NightjarWire

extension DeviceCommand {
  /// `nightjar device warn-memory`.
  struct WarnMemory: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "warn-memory",
      abstract: "Do once what is done when memory is short, as Xcode's \"Simulate Memory Warning\" does.",
      discussion: """
        Apps that run hear applicationDidReceiveMemoryWarning. With --urgent an app is ended besides: the largest of those \
        that are suspended or, if none is, of those that run in the background. `nightjar history` tells of it.
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "End the app, too, that would have to go first.") var urgent = false

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.SimulateMemoryWarning.self, .init(urgent: urgent))
      try context.show(reply, orLines: [Self.line(reply.apps)])
    }

    private static func line(_ apps: [String]) -> String {
      apps.isEmpty ? "No app runs that could be told." : "Told: \(apps.joined(separator: ", "))."
    }
  }
}
