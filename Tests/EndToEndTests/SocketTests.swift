import Patience
import Foundation
import NightjarClient
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Clients that misbehave.
  @Suite struct SocketTests {
    @Test func `rubbish on the socket is refused or ignored, and the daemon serves on`() async throws {
      try await withHome { home in
        try await home.start()
        var dice = Dice.ofThisRun()
        let noise = (0..<100).map { _ in
          (0..<Int.random(in: 1...5000, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
        }
        let texts = [
          "\0\0\0\0", "{}\0", "[]\0", "null\0", "{\"method\":7}\0", "{\"method\":\"dev.nightjar.Control.Nothing\"}\0",
          "{\"method\":\"dev.nightjar.Control.Why\",\"parameters\":{\"id\":\"one\"}}\0", "{\"method\":\"\\ud800\"}\0",
          "{\"method\":\"dev.nightjar.Control.Why\",\"parameters\":{\"id\":99999999999999999999999999}}\0",
          "{\"method\":\"dev.nightjar.Control.Monitor\"}\0", String(repeating: "[", count: 100_000) + "\0",
          "{\"method\":\"dev.nightjar.App.Attach\",\"more\":true}\0", "GET / HTTP/1.1\r\n\r\n",
        ]

        var halves: [RawLine] = []  // They stay open.
        for bytes in noise + texts.map({ Array($0.utf8) }) {
          let (whole, half) = (try RawLine(to: home.socket), try RawLine(to: home.socket))
          _ = whole.offer(bytes)
          _ = half.offer(bytes.prefix(bytes.count / 2))
          halves.append(half)
        }

        #expect(try await home.call(ControlInterface.Status.self).pid == Int64(home.daemon!.pid))
        halves = []
        #expect(home.residentKilobytes < 150 << 10, "rubbish takes up \(home.residentKilobytes) KiB")
      }
    }

    @Test(arguments: [
      ("Control.Nothing", "{}", "org.varlink.service.MethodNotFound"),
      ("Control.Why", "{}", #"org.varlink.service.InvalidParameter","parameters":{"parameter":"id"}"#),
      ("Control.Why", #"{"id":"one"}"#, #"org.varlink.service.InvalidParameter","parameters":{"parameter":"id"}"#),
      ("Control.Why", #"{"id":1e99}"#, #"org.varlink.service.InvalidParameter","parameters":{"parameter":"id"}"#),
      ("Control.Monitor", "{}", "org.varlink.service.ExpectedMore"),
      ("App.ListRequests", "{}", "dev.nightjar.App.NotAnApp"),
      (
        "Control.Download",
        #"{"url":"http://h/a","headers":[],"overwrite":false,"destination":"/tmp/a\u0000b","key":"$key"}"#,
        #"dev.nightjar.Control.InvalidRequest","parameters":{"field":"destination""#
      ),
      (
        "Control.Download", #"{"url":"http://h/a","headers":[],"overwrite":false,"destination":"a","key":"$key"}"#,
        #"dev.nightjar.Control.InvalidRequest","parameters":{"field":"destination""#
      ),
      (
        "Control.Download", #"{"url":"ftp://h/a","headers":[],"overwrite":false,"destination":"/tmp/a","key":"$key"}"#,
        #"dev.nightjar.Control.InvalidRequest","parameters":{"field":"url""#
      ),
      (
        "Control.Upload",
        #"{"url":"http://h/a","method":"PUT","headers":[],"file":"/etc/passwd\u0000b","key":"$key"}"#,
        #"dev.nightjar.Control.InvalidRequest","parameters":{"field":"file""#
      ),
      ("Control.Install", #"{"path":"/tmp/a\u0000b"}"#, "dev.nightjar.Control.BundleRefused"),
    ])
    func `a call that cannot be used is answered with what is wrong`(method: String, parameters: String, error: String)
      async throws
    {
      try await withHome { home in
        try await home.start()
        let filled = parameters.replacingOccurrences(of: "$key", with: String(repeating: "ab", count: 16))
        let line = try RawLine(to: home.socket)

        _ = line.offer(Array("{\"method\":\"dev.nightjar.\(method)\",\"parameters\":\(filled)}\0".utf8))
        var said: [UInt8] = []
        try await eventually("it is answered") {
          said += line.take() ?? [0]
          return said.last == 0
        }

        let words = String(decoding: said, as: UTF8.self)
        #expect(words.hasPrefix("{\"error\":\"\(error)"), "it said: \(words)")
      }
    }

    @Test func `an app that queues more than it may is refused in words, and others queue meanwhile`() async throws {
      try await withHome(["NIGHTJAR_TRANSFERS_PER_APP_MAX": "3"]) { home in
        try await home.start()
        let (listening, asking) = (try DaemonConnection(to: home.socket), try DaemonConnection(to: home.socket))
        defer { for connection in [listening, asking] { connection.close() } }
        let itself = AppInterface.Program(name: "org.example.greedy")
        var (accepted, refusals): ([Int64], [String]) = ([], [])
        for try await _ in try listening.replies(to: AppInterface.Attach.self, .init(program: itself)) {
          let session = try await asking.call(AppInterface.OpenSession.self, .init(session: "films"))
          for number in 0..<5 {
            let key = String(repeating: "\(number)", count: 32)
            let task = AppInterface.NewTask(
              key: key, task: session.nextTask + Int64(number), direction: .download, method: "GET",
              url: "http://127.0.0.1:9/\(number)", headers: [])
            do {
              accepted.append(
                try await asking.call(AppInterface.Enqueue.self, .init(session: "films", task: task)).transfer)
            } catch let error as ClientError { refusals.append("\(error)") }
          }
          break
        }
        try await home.run(["download", "--no-wait", "http://127.0.0.1:9/a", "--output", home.folder + "/a"])

        #expect(accepted.count == 3 && refusals.count == 2)
        #expect(refusals.allSatisfy { $0.contains("transfers of one app") && $0.contains("3") }, "said: \(refusals)")
      }
    }

    @Test func `whoever opens connections without end has so many, and others are served meanwhile`() async throws {
      try await withHome { home in
        try await home.start()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var before = rlimit()
        getrlimit(files, &before)
        defer { setrlimit(files, &before) }
        var all = rlimit(rlim_cur: before.rlim_max, rlim_max: before.rlim_max)
        setrlimit(files, &all)

        var lines = try (0..<1100).map { _ in try RawLine(to: home.socket) }
        let served = try await home.run(["status"])
        try await eventually("all but its share are closed") {
          lines.removeAll { $0.take() == nil }
          return lines.count == 200
        }
        lines = []

        #expect(served.contains("daemon  "))
        #expect(home.log.ranges(of: "more are closed").count == 1)
        try await eventually("its places are free again") {
          (try? await home.call(ControlInterface.Status.self)) != nil
        }
      }
    }

    @Test func `a message without end is cut off, and its sender is told the bound`() async throws {
      try await withHome { home in
        try await home.start()
        let line = try RawLine(to: home.socket)
        let piece = Array(repeating: UInt8(ascii: " "), count: 1 << 20)

        var sent = 0
        try await eventually("the daemon has closed") {
          guard let count = line.offer(piece) else { return true }
          sent += count
          return sent > 1 << 30
        }

        let words = String(decoding: line.take() ?? [], as: UTF8.self)
        #expect(sent < 1 << 28, "the daemon took \(sent) bytes of one message")
        #expect(words.contains("InvalidParameter") && words.contains("more than 16777216 bytes"), "it said: \(words)")
        #expect(try await home.call(ControlInterface.Status.self).pid > 0)
      }
    }

    /// As many as `NIGHTJAR_TEST_CALLS` says.
    static let calls = ProcessInfo.processInfo.environment["NIGHTJAR_TEST_CALLS"].flatMap { Int($0) } ?? 200_000

    @Test func `hundreds of thousands of calls in a row are all answered, and others meanwhile`() async throws {
      try await withHome { home in
        try await home.start()
        let line = try RawLine(to: home.socket)
        let call = Array("{\"method\":\"dev.nightjar.Control.Nothing\"}\0".utf8)
        let calls = (0..<10_000).flatMap { _ in call }

        var (sent, answers, others) = (0, 0, 0)
        try await eventually("all answers", within: .seconds(300)) {
          for _ in 0..<64 where sent < Self.calls * call.count {
            let rest = calls[(sent % calls.count)...]
            guard let count = line.offer(rest) else { throw NeverHappened(description: "the daemon has closed") }
            sent += count
            if count == 0 { break }
          }
          while let bytes = line.take(), !bytes.isEmpty { answers += bytes.count { $0 == 0 } }
          _ = try await home.call(ControlInterface.Status.self)
          others += 1
          return answers == Self.calls
        }

        #expect(others > 0)
      }
    }

    @Test func `a client that calls and never reads is not read from any more`() async throws {
      try await withHome { home in
        try await home.start()
        let line = try RawLine(to: home.socket)
        let calls = Array(String(repeating: "{\"method\":\"dev.nightjar.Control.Status\"}\0", count: 10_000).utf8)

        var (sent, quietly) = (0, 0)
        try await eventually("nothing more is taken, or the daemon has closed") {
          guard let count = line.offer(calls[(sent % calls.count)...]) else { return true }
          (sent, quietly) = (sent + count, count == 0 ? quietly + 1 : 0)
          _ = try await home.call(ControlInterface.Status.self)
          return quietly == 100
        }

        let kilobytes = home.residentKilobytes
        #expect(kilobytes < 400_000, "the daemon has grown to \(kilobytes) KiB after \(sent) bytes of calls")
      }
    }

    @Test func `a watcher that never reads is cut off, and one that reads is not`() async throws {
      try await withHome { home in
        try await home.start()
        let deaf = try RawLine(to: home.socket)
        _ = deaf.offer("{\"method\":\"dev.nightjar.Control.Monitor\",\"more\":true}\0".utf8)
        let reader = try DaemonConnection(to: home.socket)
        let reading = Task {
          for try await reply in try reader.replies(to: ControlInterface.Monitor.self) {
            if reply.transfer?.url.hasSuffix("last") == true { return true }
          }
          return false
        }
        let padding = String(repeating: "x", count: 60_000)

        for number in 0..<200 {
          _ = try await home.queue("http://nowhere.invalid/\(number)/\(padding)")
        }
        try await eventually("the daemon has closed the deaf one's connection") {
          deaf.offer("{\"method\":\"dev.nightjar.Control.Status\"}\0".utf8) == nil
        }
        _ = try await home.queue("http://nowhere.invalid/last")

        #expect(try await reading.value)
      }
    }
  }
}

extension Home {
  /// Queues a download that nobody waits for.
  func queue(_ url: String) async throws -> Int64 {
    let key = UUID().uuidString.filter { $0 != "-" }.lowercased()
    let order = ControlInterface.Download.Parameters(
      key: key, url: url, headers: [], destination: "\(folder)/\(key)", overwrite: false)
    return try await call(ControlInterface.Download.self, order).id
  }

  /// How much memory the daemon has.
  var residentKilobytes: Int {
    let status = Files.text("/proc/\(daemon?.pid ?? 0)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
