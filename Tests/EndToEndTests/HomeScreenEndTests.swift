import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// The end of the home screen, for which no browser is needed.
  @Suite struct HomeScreenEndTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a home screen that is asked to end takes its file along, and says by its status why`(signal: Int32)
      async throws
    {
      try await withHome { home in
        try await home.start()
        let server = try home.command(["home", "--no-open", "--json"])
        try await eventually("it is served") { home.invitations.contains { $0.hasSuffix(".html") } }

        server.send(signal)
        let status = try await server.ended()

        #expect(home.invitations == [])
        #expect(status == 128 + signal)
      }
    }
  }
}

extension Home {
  /// The files that let browsers in.
  fileprivate var invitations: [String] { Files.names(path + "/run").filter { $0.hasPrefix("home-") } }
}
