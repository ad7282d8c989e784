import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Who is let in to the home screen, and who is not.
  @Suite struct HomeScreenDoorTests {
    @Test func `a code lets one browser in, and nobody else is let in at all`() async throws {
      try await withHome(.impatient) { home in
        try Probe(home: home).instruct(.init())
        try await home.start()
        try await Probe(home: home).install()
        try await withScreen(of: home) { screen in
          let browser = screen.browser
          let first = screen.entrances[0]

          try browser.go(to: first.address)
          try await browser.wait("the page asks for a code", for: "document.activeElement.id", toBe: "code")
          try browser.type("WRONG", into: "#code")
          try browser.press(.enter)
          try await browser.wait(
            "it is refused", for: "document.querySelector('#refused').textContent.includes('not the code')")
          _ = try browser.read("document.querySelector('#code').value = ''")
          try browser.type(first.code.lowercased(), into: "#code")
          try browser.press(.enter)
          try await browser.wait("it is let in", for: "document.querySelectorAll('#apps .icon').length > 0")
          let again = try screen.answer("enter", body: "{\"code\": \"\(first.code)\"}")

          #expect(again.status == 403 && again.body.contains("codeSpent"))
          #expect(screen.entrances.count == 2 && screen.entrances[1].code != first.code)
          #expect(try screen.answer("api/ListApps", body: "{}").status == 401)
          #expect(try screen.answer("events").status == 401)
          #expect(try screen.answer("", host: "evil.example").status == 421)
          #expect(try screen.answer("enter", body: "{}", origin: "https://evil.example").status == 403)
          #expect(Files.text("/proc/\(screen.server.pid)/cmdline").contains(first.code) == false)
          #expect(screen.isOnLoopbackOnly)
        }
      }
    }

    @Test func `a wrong code locks nobody out who is in, and who comes in again hears everything once`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let held = "sessionStorage.getItem('token')"
        let token = try browser.read(held)
        let power = "document.querySelector('#power').textContent"

        _ = try browser.read("location.hash = '#WRONG'")
        try await browser.wait(
          "it is told", for: "document.querySelector('.banner[role=alert]')?.textContent.includes('not the code')")
        let kept = try browser.read("[\(held), document.querySelector('#device').hidden]")
        _ = try browser.read("location.hash = '#\(screen.entrances.last!.code)'")
        try await browser.wait("it is let in again", for: "\(held) !== '\(token)' && known.waiting === null")
        _ = try browser.read("(window.heard = [], JSON.parse = (\(Self.listening))(JSON.parse))")
        for level in ["80", "70"] {
          try await home.run(["device", "set", "battery=\(level)"])
          try await browser.wait("the bar shows it", for: "\(power).startsWith('\(level) %')")
        }

        #expect(kept == "\(token),false")
        #expect(try browser.read("heard.length") == "2")
      }
    }

    /// Makes of the function that parses each event one that also notes those about the device.
    private static let listening =
      "(usual) => (...parts) => { const event = usual(...parts); if (event?.device) heard.push(event); return event }"
  }
}

extension Screen {
  /// What the server answers to somebody without a token.
  fileprivate func answer(
    _ path: String, body: String? = nil, host: String? = nil, origin: String? = nil
  ) throws -> (status: Int, body: String) {
    var fields: [String: String] = [:]
    if let host { fields["Host"] = host }
    if let origin { fields["Origin"] = origin }
    let method = body == nil ? "GET" : "POST"
    let answer = try PlainHTTP.send(method, "/" + path, port: port, fields: fields, body: body.map { Data($0.utf8) })
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  private var port: Int { URL(string: entrances[0].address)!.port! }

  /// Whether the server's port is open on 127.0.0.1 and on no other address, as the kernel lists it (proc(5)).
  fileprivate var isOnLoopbackOnly: Bool {
    let number = String(port, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - number.count) + number
    let listening = ["tcp", "tcp6"].flatMap { Files.text("/proc/net/\($0)").split(separator: "\n") }.compactMap {
      line in
      let words = line.split(separator: " ")
      return words.count > 3 && words[1].hasSuffix(suffix) && words[3] == "0A" ? String(words[1]) : nil
    }
    return listening == ["0100007F" + suffix]
  }
}
