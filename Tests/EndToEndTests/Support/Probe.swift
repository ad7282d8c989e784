import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

/// The probe app in a home: what it is told to do, and what it has heard.
struct Probe {
  static let id = "dev.nightjar.probe"

  let home: Home
  /// The app's identifier; another than the usual one makes a second app of the same code.
  var app = Self.id
  /// What it declares to do in the background.
  var modes: [String] = []
  /// The tasks that it declares to put off.
  var permitted: [String] = []
  /// Whether what it shows is hidden while the device is locked.
  var isProtected = false

  var container: String { home.path + "/data/containers/" + app }
  var documents: String { container + "/Documents" }
  /// Where the library keeps what uploads send from memory.
  var spool: String { container + "/Library/State/nightjar/session-probe/spool" }
  var diary: String { documents + "/heard.jsonl" }

  /// Everything that all lives of the app have heard, in order.
  var heard: [Heard] {
    Files.text(diary).split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Heard.self, from: Data($0.utf8))
    }
  }

  /// The names of the calls that it heard, in order, but for what it did of its own accord.
  var calls: [String] {
    heard.map(\.call).filter { !["queued", "registered", "submitted", "pending"].contains($0) }
  }

  /// The names of the transfers that the app was told have succeeded.
  var completed: Set<String> {
    Set(heard.filter { $0.call == "didComplete" && $0.error == nil }.compactMap(\.name))
  }

  func file(_ name: String) -> Data { Files.bytes(documents + "/files/" + name) }

  /// Where it keeps the resume data of a transfer.
  func kept(_ name: String) -> String { documents + "/kept/" + name }

  /// The last word about a transfer.
  func end(of name: String) -> Heard? { heard.last { $0.call == "didComplete" && $0.name == name } }

  func instruct(_ instructions: Instructions) throws {
    try Files.folder(container)
    try Files.write(JSONEncoder().encode(instructions), to: documents + "/instructions.json")
  }

  /// Makes the bundle; `version` tells one from another.
  func bundle(version: Int = 1) throws -> String {
    let bundle = home.folder + (app == Self.id ? "/Probe.app" : "/\(app).app")
    try Files.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(app)</string>
      <key>CFBundleExecutable</key><string>ProbeApp</string>
      <key>CFBundleDisplayName</key><string>Probe \(version)</string>
      <key>UIBackgroundModes</key><array>\(Self.strings(modes))</array>
      <key>BGTaskSchedulerPermittedIdentifiers</key><array>\(Self.strings(permitted))</array>
      \(isProtected ? Self.protection : "")
      </dict></plist>
      """.utf8, to: bundle + "/Info.plist")
    if !Files.exists(bundle + "/ProbeApp") {
      try FileManager.default.copyItem(atPath: Home.programs + "/ProbeApp", toPath: bundle + "/ProbeApp")
    }
    return bundle
  }

  private static let protection = """
    <key>com.apple.developer.default-data-protection</key><string>NSFileProtectionComplete</string>
    """

  private static func strings(_ texts: [String]) -> String {
    texts.map { "<string>\($0)</string>" }.joined()
  }

  @discardableResult
  func install(version: Int = 1) async throws -> ControlInterface.App {
    try await home.call(ControlInterface.Install.self, .init(path: bundle(version: version))).app
  }

  @discardableResult
  func launch() async throws -> Int64 {
    try await home.call(ControlInterface.Launch.self, .init(app: app, arguments: [])).pid
  }

  /// Starts the daemon, and has the app download a film, of which nothing comes until the server releases it; its
  /// process.
  @discardableResult
  func download(_ film: Content, from server: HTTPTestServer, shows: Bool? = nil) async throws -> pid_t {
    server.play("/film", .serve(Serving(film).with { $0.mishap = .hold }))
    try instruct(.init(transfers: [.init(name: "film", url: server.url("/film"))], shows: shows))
    try await home.start()
    try await install()
    let pid = pid_t(try await launch())
    try await eventually("the app's download is under way") { !server.requests("/film").isEmpty }
    return pid
  }

  func terminate() async throws {
    _ = try await home.call(ControlInterface.Terminate.self, .init(app: app))
  }

  /// How the daemon sees it.
  func state() async throws -> ControlInterface.App.State? {
    try await home.call(ControlInterface.ListApps.self).apps.first { $0.id == app }?.state
  }

  /// Its transfers that are not yet acknowledged.
  func transfers() async throws -> [ControlInterface.Transfer] {
    try await home.call(ControlInterface.ListTransfers.self, .init(app: app, after: nil, limit: nil)).transfers
  }

  /// Whether the app was told that exactly these succeeded, and has acknowledged everything.
  func hasSettled(_ names: Set<String>) async throws -> Bool {
    try await transfers().isEmpty && completed == names
  }

  /// Whoever heard a call was not the process that a person launched first, and never came to the foreground.
  func expectLaunchedInBackground(for call: String) {
    let (heard, first) = (heard, heard.first?.pid)
    let lives = Set(heard.filter { $0.call == call }.map(\.pid))
    let calls = heard.filter { lives.contains($0.pid) }.map(\.call)
    #expect(!lives.isEmpty && !lives.contains { $0 == first }, "\(call) was heard by \(lives) after \(first ?? 0)")
    #expect(calls.contains("didEnterBackground") && !calls.contains("didBecomeActive"), "\(calls)")
  }
}
