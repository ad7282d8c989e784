import Foundation
import Nightjar
import NightjarTesting
import Testing

import struct FoundationNetworking.URLRequest

/// The examples of the article, as they stand there but for the delegate.
extension SimulationTests {
  @Test func `the example of a transfer in the article holds`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("issue")).resume() }]

        var simulation = AppSimulation(of: Kiosk.self)
        simulation.bytesPerSecond = 1000
        simulation.server = { request in
          guard request.url?.lastPathComponent == "issue" else { return ServerAnswer(statusCode: 404) }
          return ServerAnswer(data: Data(count: 1_800_000), headers: ["Content-Type": "application/pdf"])
        }

        let history = try await simulation.run(
          """
          days 1
          opens at 09:00 give or take 0 min for 5 min
          network lost 09:15-11:00
          """)

        let transfer = try #require(history.transfers.first)
        #expect(transfer.queued.clock == "09:00")
        #expect(transfer.statusCode == 200 && transfer.bytes == 1_800_000)
        #expect(transfer.attempts == 2)
        #expect(transfer.told?.clock == "11:15")
      }
    }
  }
}
