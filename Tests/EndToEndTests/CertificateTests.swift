import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What TLS asks of an app that has to be launched for it: about a server's certificate, and for one of its own.
  @Suite struct CertificateTests {
    static let film = Content(seed: 6, size: 300_000)

    @Test func `an app is launched to judge a certificate that nobody vouches for, and its trust brings the file`()
      async throws
    {
      try await withProbe(.tlsOfStranger, { $0.certificates = "trust" }) { home, probe, server in
        try await eventually("the app is launched, asked, answers and is told") { try await probe.hasSettled(["one"]) }

        let asked = probe.heard.filter { $0.call == "didReceiveCertificate" }
        #expect(asked.count == 1 && asked.first?.count == 1)
        #expect(asked.first?.error == URLError.Code.serverCertificateUntrusted.rawValue)
        probe.expectLaunchedInBackground(for: "didReceiveCertificate")
        #expect(probe.file("one") == Data(Self.film.bytes))
      }
    }

    /// What a refusal is called: `cancelAuthenticationChallenge`, `rejectProtectionSpace` and `performDefaultHandling`.
    @Test(
      arguments: [
        ("refuse", URLError.Code.cancelled), ("reject", .serverCertificateUntrusted),
        (nil, .serverCertificateUntrusted),
      ] as [(String?, URLError.Code)])
    func `an app that does not trust a certificate is told so by the task's error`(
      decision: String?, code: URLError.Code
    ) async throws {
      try await withProbe(.tlsOfStranger, { $0.certificates = decision }) { home, probe, server in
        let end = try await eventually("the app is launched, asked, refuses and is told") { probe.end(of: "one") }
        try await eventually("it is acknowledged") { try await probe.transfers().isEmpty }

        #expect(end.error == code.rawValue, "\(end)")
        #expect(probe.heard.filter { $0.call == "didReceiveCertificate" }.count == 1)
        probe.expectLaunchedInBackground(for: "didReceiveCertificate")
        #expect(server.requests("/one").isEmpty, "something was sent to whom it does not trust")
        #expect(!probe.calls.contains("didFinishDownloadingTo"))
      }
    }

    @Test func `an app is launched to show its own certificate, which brings the file`() async throws {
      let visitor = Instructions.Identity(certificate: Fixtures.visitor.certificate, key: Fixtures.visitor.key)
      try await withProbe(.tlsForVisitors, { ($0.certificates, $0.identity) = ("trust", visitor) }) {
        home, probe, server in
        try await eventually("the app is launched, asked, answers and is told") { try await probe.hasSettled(["one"]) }

        probe.expectLaunchedInBackground(for: "didReceiveCertificate")
        probe.expectLaunchedInBackground(for: "didReceiveCertificateRequest")
        #expect(probe.calls.filter { $0 == "didReceiveCertificateRequest" }.count == 1)
        #expect(probe.file("one") == Data(Self.film.bytes))
        #expect(home.files(holding: String(Fixtures.visitor.key.split(separator: "\n")[1])) == [])
      }
    }

    @Test func `an app without a certificate of its own is told that the server insists on one`() async throws {
      try await withProbe(.tlsForVisitors, { $0.certificates = "trust" }) { home, probe, server in
        let end = try await eventually("the app is launched, asked, has none and is told") { probe.end(of: "one") }

        #expect(end.error == URLError.Code.clientCertificateRequired.rawValue, "\(end)")
        probe.expectLaunchedInBackground(for: "didReceiveCertificateRequest")
        #expect(server.requests("/one").isEmpty)
      }
    }

    /// The app has queued a download from a server with such a certificate, and is dead.
    private func withProbe(
      _ security: HTTPTestServer.Security, _ set: (inout Instructions) -> Void,
      _ body: (Home, Probe, HTTPTestServer) async throws -> Void
    ) async throws {
      let server = try await HTTPTestServer.start(security)
      server.play("/one", .serve(Serving(Self.film)))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        var instructions = Instructions(transfers: [.init(name: "one", url: server.url("/one"))])
        instructions.diesIn = ["queued"]
        set(&instructions)
        try probe.instruct(instructions)
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await body(home, probe, server)
      }
      try await server.stop()
    }
  }
}
