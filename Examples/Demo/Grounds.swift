import Foundation
import NightjarModel
import NightjarPlatform

/// The folder in which everything of one run lies, and the programs that it runs.
struct Grounds: Sendable {
  /// VideoFarm's name.
  static let app = "dev.nightjar.VideoFarm"

  let folder: String
  let programs: String
  private let home: Home

  /// Makes the folder, for this user only, under TMPDIR or /tmp.
  init(programs: String, environment: [String: String]) throws {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array((parent + "/nightjar-demo.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw DemoError("cannot make a folder in \(parent)") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.programs = URL(filePath: programs).standardizedFileURL.path
    home = try Home(environment: ["NIGHTJAR_HOME": folder + "/home"])
  }

  var homeFolder: String { folder + "/home" }
  var farmData: String { folder + "/farm" }
  var farmOutput: String { folder + "/farm.out" }
  var farmLog: String { folder + "/farm.log" }
  var daemonLog: String { folder + "/nightjard.log" }
  /// The movie that is uploaded.
  var source: String { folder + "/holiday.movie" }
  var bundle: String { folder + "/VideoFarm.app" }
  var documents: String { home.container(AppID(Self.app)).documents }
  /// What the app writes, which the daemon keeps.
  var appLog: String { home.log(AppID(Self.app)) }
  var socket: String { home.socket }
  var database: String { home.database }
  var staging: String { home.staging }

  func program(_ name: String) -> String { programs + "/" + name }

  /// Puts the app's bundle together, out of the program that was built and the files that lie beside its sources.
  func assembleBundle(from resources: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: bundle, withIntermediateDirectories: false)
    for name in try files.contentsOfDirectory(atPath: resources) {
      try files.copyItem(atPath: resources + "/" + name, toPath: bundle + "/" + name)
    }
    try files.copyItem(atPath: program("VideoFarm"), toPath: bundle + "/VideoFarm")
  }

  /// Writes a movie of fresh noise.
  func generateMovie(size: Int64) throws {
    guard let noise = FileHandle(forReadingAtPath: "/dev/urandom"),
      let bytes = try noise.read(upToCount: Int(size)), bytes.count == Int(size)
    else { throw DemoError("cannot read /dev/urandom") }
    try bytes.write(to: URL(filePath: source))
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

/// Why the demo could not go on, in a sentence.
struct DemoError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A person pressed Ctrl-C, or another process asked the demo to end.
struct Interrupted: Error {}
