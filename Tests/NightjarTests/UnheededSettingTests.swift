import Foundation
import Testing

@testable import Nightjar

/// A session in this process says which settings it cannot obey.
@Suite struct UnheededSettingTests {
  @Test func `what has no effect is said once in a process, and nothing of a background session`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (world, plain, strict) = (World(), URLSessionConfiguration.ephemeral, URLSessionConfiguration.ephemeral)
      strict.connectionProxyDictionary = [:]
      strict.tlsMinimumSupportedProtocolVersion = .TLSv13

      _ = world.session(of: world.newLife(), Recorder()) { $0.requiresDNSSECValidation = true }
      for configuration in [plain, strict, strict] { _ = URLSession(configuration: configuration) }
    }

    let lines = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
    let words = lines.filter { $0.contains("without effect in a session of the app's own process") }
    #expect(words.count == 2 && words[0].contains("connectionProxyDictionary") && words[1].contains("tlsMinimum"))
  }
}
