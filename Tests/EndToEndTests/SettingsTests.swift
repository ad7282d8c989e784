import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What the daemon reads from its configuration file.
  @Suite struct SettingsTests {
    @Test func `the file's proxies are used, with their password and but for the exceptions`() async throws {
      let post = Guard(.digest(algorithm: "SHA-256")).beforeProxy
      let proxy = try await HTTPTestServer.start()
      proxy.play("http://files.example/x", .guarded(post, then: .answer(status: 200, body: "through")))
      try await withHome(.impatient) { home in
        let url = "http://anna:open%20sesame@127.0.0.1:\(proxy.port)"
        let file = #"{"nightjar": {"proxy": {"http": "\#(url)", "exceptions": "*.local, direct.invalid"}}}"#
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()
        _ = try await home.call(ControlInterface.SetDevice.self, .init(network: .unmetered))

        try await home.run(["download", "http://files.example/x", "-o", home.folder + "/x"])
        try await home.run(["download", "http://direct.invalid/x", "-o", home.folder + "/y", "--no-wait"])
        try await eventually("the exception has been tried, and once more") {
          try await home.transfer(2)?.attempts ?? 0 >= 2
        }

        #expect(Files.bytes(home.folder + "/x") == Data("through".utf8))
        #expect(proxy.requests("http://direct.invalid/x").isEmpty)
        #expect(!home.log.contains("sesame"))
      }
      try await proxy.stop()
    }

    @Test func `who looks after the machine can forbid background refresh, and everybody is told so`() async throws {
      try await withHome(["NIGHTJAR_BACKGROUND_REFRESH_RESTRICTED": "yes"]) { home in
        let probe = Probe(home: home, modes: ["fetch"])
        try probe.instruct(.init(fetchInterval: 0))
        try await home.start()
        try await probe.install()
        try await probe.launch()

        let settings = try await home.run(["settings", "background-refresh=on"])
        let why = try await home.run(["why", Probe.id])

        #expect(settings.contains("Whoever looks after this machine forbids it all the same."))
        #expect(why.contains("Whoever looks after this machine forbids Background App Refresh"), "it said: \(why)")
      }
    }

    private func settingsFile(of home: Home) -> String { home.path + "/state/nightjard.json" }

    /// What a daemon says that will not start.
    private func refusal(by home: Home) async throws -> String {
      let refused = try home.spawnDaemon()
      #expect(try await refused.ended() == 1)
      return refused.text
    }

    @Test(arguments: [
      ("NIGHTJAR_BACKGROUND_REFRESH_RESTRICTED", "perhaps", "yes, true, 1 or on, or else no, false, 0 or off"),
      ("NIGHTJAR_RUNNING_MAX", "abc", "a whole number from 1 to 1000000000000000"),
      ("NIGHTJAR_RUNNING_MAX", "0", "a whole number from 1 to 1000000000000000"),
      ("NIGHTJAR_BATTERY_MIN", "101", "a whole number from 0 to 100"),
      ("NIGHTJAR_RETRY_DELAY_MAX", "10 min", "a number of seconds from 0.01 to 1000000000"),
      ("NIGHTJAR_ATTACH_TIMEOUT", "0", "a number of seconds from 1 to 1000000000"),
      ("NIGHTJAR_CGROUPS", "nowhere", "automatic, never or an absolute path"),
    ])
    func `a variable that cannot mean anything stops the start in words`(
      variable: String, value: String, allowed: String
    ) async throws {
      try await withHome([variable: value]) { home in
        let words = try await refusal(by: home)

        #expect(words.contains("\(variable) must be \(allowed), and is \"\(value)\""), "it said: \(words)")
      }
    }

    @Test(arguments: [
      (["NIGHTJAR_RETRY_DELAY_MIN": "30", "NIGHTJAR_RETRY_DELAY_MAX": "10"], "retry.delay", 30, 10),
      (["NIGHTJAR_RELAUNCH_DELAY_MIN": "7200"], "relaunch.delay", 7200, 3600),
      (["NIGHTJAR_FETCH_RETRY_DELAY_MAX": "60"], "fetch.retry.delay", 900, 60),
    ])
    func `a shortest time above the longest stops the start, and both are named`(
      variables: [String: String], name: String, shortest: Int, longest: Int
    ) async throws {
      try await withHome(variables) { home in
        let words = try await refusal(by: home)

        let said = "\(name).min is \(shortest) s, which must not be more than \(name).max, which is \(longest) s"
        #expect(words.contains(said), "it said: \(words)")
      }
    }

    @Test(arguments: [
      ("NIGHTJAR_PROXY_HTTP", "socks4://anna:sesame@h:1080", "cannot be used: the proxy h:1080"),
      ("NIGHTJAR_PROXY_HTTPS", "anna:sesame@h:99999", "cannot be used: the proxy http://h:99999"),
      ("NIGHTJAR_TRUSTED_CERTIFICATES", "authority.pem", "names authority.pem, which is no absolute path"),
      ("NIGHTJAR_TRUSTED_CERTIFICATES", "/nowhere/a.pem", "names /nowhere/a.pem, which cannot be read: no such file"),
      ("NIGHTJAR_TRUSTED_CERTIFICATES", "/proc/version", "which cannot be read as certificates in PEM"),
    ])
    func `what transfers could not use stops the start, and no transfer is lost to it`(
      variable: String, value: String, words: String
    ) async throws {
      try await withHome([variable: value]) { home in
        let said = try await refusal(by: home)

        #expect(said.contains(variable) && said.contains(words), "it said: \(said)")
        #expect(!said.contains("sesame"))
      }
    }

    @Test func `what is no setting is named in the log with what it may have been meant for, and nothing else is`()
      async throws
    {
      try await withHome(["NIGHTJAR_RUNING_MAX": "3", "NIGHTJAR_RUNNING_MAX": "4"]) { home in
        let file =
          #"{"nightjar": {"runing": {"max": 8}, "running": {"max": 9}, "of my own": [1]}}"#
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()

        let words = home.log.split(separator: "\n").filter { $0.contains("has no effect") }
        let place = "in \(settingsFile(of: home)) is no setting and has no effect;"
        let said = [
          "NIGHTJAR_RUNING_MAX is no setting and has no effect; did you mean NIGHTJAR_RUNNING_MAX?",
          "nightjar.of my own \(place) `nightjard --settings` lists all",
          "nightjar.runing.max \(place) did you mean nightjar.running.max?",
        ]
        #expect(words.count == said.count && zip(words, said).allSatisfy { $0.hasSuffix($1) }, "\(words)")
      }
    }

    @Test(arguments: [
      (#"{"running": {"max": 3}}"#, "running.max", #"write {"nightjar": {…}} around it"#),
      (#"{"running": {"mx": 3}}"#, "running.mx", "did you mean nightjar.running.max?"),
      (
        #"{"Nightjar": {"background": {"refresh": {"restricted": true}}}}"#, "Nightjar.background.refresh.restricted",
        "did you mean nightjar.background.refresh.restricted?"
      ),
      (
        #"{"nightjar": {}, "settings": {"runing": {"max": 3}}}"#, "settings.runing.max",
        "did you mean nightjar.running.max?"
      ),
      (#"{"note\n": {"by": "anna"}}"#, #"note\u{a}.by"#, "`nightjard --settings` lists all"),
    ])
    func `whatever stands outside of the file's group is named in the log, with what it may have been meant for`(
      file: String, key: String, advice: String
    ) async throws {
      try await withHome { home in
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()

        let words = home.log.split(separator: "\n").filter { $0.contains("has no effect") }
        let said = #"\#(key) in \#(settingsFile(of: home)) stands outside of "nightjar" and has no effect; \#(advice)"#
        #expect(words.count == 1 && words[0].hasSuffix(said), "\(words)")
      }
    }

    @Test func `a group that is no object is named in the log`() async throws {
      try await withHome { home in
        let file = #"{"nightjar": []}"#
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()

        let words = home.log.split(separator: "\n").filter { $0.contains("has no effect") }
        let said = #"nightjar in \#(settingsFile(of: home)) is no object and has no effect; write {"nightjar": {…}}"#
        #expect(words.count == 1 && words[0].contains(said), "\(words)")
      }
    }

    @Test func `a file that cannot be read stops the start in words, without the library's own`() async throws {
      try await withHome([:]) { home in
        try Files.write(#"{"nightjar": {"#.utf8, to: settingsFile(of: home))
        let torn = try await refusal(by: home)
        try FileManager.default.removeItem(atPath: settingsFile(of: home))
        try FileManager.default.createDirectory(atPath: settingsFile(of: home), withIntermediateDirectories: false)
        let folder = try await refusal(by: home)

        #expect(torn.contains("nightjard.json cannot be read: it is no JSON. Unexpected end of file"), "\(torn)")
        #expect(folder.contains("nightjard.json cannot be read: is a directory"), "\(folder)")
        #expect(!(torn + folder).contains("NSCocoaErrorDomain"))
      }
    }

    @Test func `what is no file in the place of the settings stops the start in words, and a link to a file serves`()
      async throws
    {
      try await withHome { home in
        let (place, file) = (settingsFile(of: home), home.folder + "/elsewhere.json")
        try Files.write(#"{"nightjar": {"background": {"refresh": {"restricted": true}}}}"#.utf8, to: file)
        try Files.folder(home.path + "/state")

        #expect(mkfifo(place, 0o600) == 0)
        let words = try await refusal(by: home)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: file)
        try await home.start()
        let settings = try await home.run(["settings"])

        #expect(words.contains("the settings in \(place) cannot be read: it is no regular file"), "it said: \(words)")
        #expect(settings.contains("Whoever looks after this machine forbids it all the same."), "it said: \(settings)")
      }
    }

    @Test(arguments: [
      (#"{"background": {"refresh": {"restricted": "perhaps"}}}"#, "background.refresh.restricted", #"is "perhaps""#),
      (#"{"running": {"max": -1}}"#, "running.max", #"is "-1""#),
      (#"{"running": {"max": true}}"#, "running.max", #"is "true""#),
      (#"{"retry": {"delay": {"max": false}}}"#, "retry.delay.max", #"is "false""#),
      (#"{"retry": {"delay": {"max": "soon"}}}"#, "retry.delay.max", #"is "soon""#),
      (#"{"proxy": {"http": ["http://anna:sesame@proxy.example"]}}"#, "proxy.http", "is a list"),
    ])
    func `a value in the file that cannot be meant stops the start in words, without a password`(
      settings: String, key: String, said: String
    ) async throws {
      try await withHome { home in
        try Files.write(#"{"nightjar": \#(settings)}"#.utf8, to: settingsFile(of: home))

        let words = try await refusal(by: home)

        #expect(words.contains("nightjar.\(key) in \(settingsFile(of: home)) must be"), "it said: \(words)")
        #expect(words.contains("and \(said)"), "it said: \(words)")
        #expect(!words.contains("sesame"))
      }
    }

    @Test func `a setting that the file has twice stops the start, and is named`() async throws {
      try await withHome { home in
        let text = #"{"nightjar": {"running.max": 3, "running": {"max": 4}}}"#
        try Files.write(text.utf8, to: settingsFile(of: home))

        let words = try await refusal(by: home)

        #expect(words.contains("nightjar.running.max is written twice"), "it said: \(words)")
      }
    }

    @Test func `a file that is no JSON stops the start, and is named`() async throws {
      try await withHome { home in
        try Files.write(#"{"nightjar": {"#.utf8, to: settingsFile(of: home))

        let words = try await refusal(by: home)

        #expect(words.contains("the settings in \(settingsFile(of: home)) cannot be read"), "it said: \(words)")
      }
    }

    @Test(arguments: [#""yes""#, #""ON""#, "true", "1"])
    func `the file says yes as people and JSON do`(yes: String) async throws {
      try await withHome { home in
        let file = #"{"nightjar": {"background": {"refresh": {"restricted": \#(yes)}}}}"#
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()

        let settings = try await home.run(["settings"])

        #expect(settings.contains("Whoever looks after this machine forbids it all the same."), "it said: \(settings)")
      }
    }

    @Test(arguments: ["No", "off", "0", ""])
    func `a variable goes before the file, and an empty one stands for the default`(no: String) async throws {
      let empty = ["NIGHTJAR_RUNNING_MAX": "", "NIGHTJAR_RETRY_DELAY_MAX": "", "NIGHTJAR_CGROUPS": ""]
      try await withHome(empty.merging(["NIGHTJAR_BACKGROUND_REFRESH_RESTRICTED": no]) { $1 }) { home in
        let file = #"{"nightjar": {"background": {"refresh": {"restricted": true}}}}"#
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()

        let settings = try await home.run(["settings"])

        #expect(!settings.contains("Whoever looks after this machine"), "it said: \(settings)")
      }
    }

    @Test func `a file's proxy takes the place of the environment's, and an empty one means none`() async throws {
      let (first, second) = (try await HTTPTestServer.start(), try await HTTPTestServer.start())
      first.play("http://files.example/x", .answer(status: 200, body: "first"))
      second.play("http://files.example/x", .answer(status: 200, body: "second"))
      try await withHome(["http_proxy": "http://127.0.0.1:\(first.port)"]) { home in
        let file = #"{"nightjar": {"proxy": {"http": "http://127.0.0.1:\#(second.port)", "https": ""}}}"#
        try Files.write(file.utf8, to: settingsFile(of: home))
        try await home.start()
        _ = try await home.call(ControlInterface.SetDevice.self, .init(network: .unmetered))

        try await home.run(["download", "http://files.example/x", "-o", home.folder + "/x"])

        #expect(Files.bytes(home.folder + "/x") == Data("second".utf8))
        #expect(first.requests("http://files.example/x").isEmpty)
      }
      try await first.stop()
      try await second.stop()
    }
  }
}
