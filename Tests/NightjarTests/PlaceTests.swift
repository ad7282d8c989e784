import Foundation
import NightjarWire
import Testing

@testable import Nightjar

@Suite struct PlaceTests {
  @Test func `a launched app's things lie in its container`() {
    let place = Place(
      environment: [
        "NIGHTJAR_APP": "dev.nightjar.VideoFarm", "CFFIXED_USER_HOME": "/c", "NIGHTJAR_SOCKET": "/s/nightjar.sock",
      ], registered: nil, executable: "/bin/app")

    #expect(place.program == nil && place.socket.path == "/s/nightjar.sock")
    #expect(place.sessions == "/c/Library/State/nightjar" && place.temporary == "/c/tmp/nightjar")
    #expect(place.resumeKey == "/c/Library/State/nightjar/resume-key")
  }

  @Test(arguments: [
    (["HOME": "/h"], "/usr/bin/film tool", "film-tool", "/h/.local/state/nightjar"),
    (["HOME": "/h", "XDG_STATE_HOME": "/x/"], "/usr/bin/f", "f", "/x/nightjar"),
    (["HOME": "/h", "NIGHTJAR_HOME": "/n"], "/usr/bin/_f", "program_f", "/n/state"),
    (["HOME": "/h", "NIGHTJAR_HOME": "/n"], "/usr/bin/7", "program7", "/n/state"),
    (["HOME": "/h", "NIGHTJAR_APP": "films"], "/usr/bin/python3", "films", "/h/.local/state/nightjar"),
  ])
  func `a program is known by a name and keeps its things in the state folder`(
    environment: [String: String], executable: String, name: String, state: String
  ) {
    let place = Place(environment: environment, registered: nil, executable: executable)

    #expect(place.program == AppInterface.Program(name: name))
    #expect(place.sessions == "\(state)/programs/\(name)/sessions" && place.resumeKey == "\(state)/resume-key")
  }

  @Test func `a program of digits alone keeps the name that it has things under`() throws {
    let world = World()
    let environment = ["NIGHTJAR_HOME": world.folder]
    let folder = world.folder + "/state/programs/7"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)

    let places = ["7", "8"].map { Place(environment: environment, registered: nil, executable: "/usr/bin/\($0)") }

    #expect(places.map(\.program?.name) == ["7", "program8"])
    #expect(places[0].sessions == folder + "/sessions")
  }

  @Test func `a name that was registered goes first`() {
    let program = AppInterface.Program(name: "films", relaunch: ["/usr/bin/films"])

    let place = Place(
      environment: ["HOME": "/h", "NIGHTJAR_APP": "other", "CFFIXED_USER_HOME": "/c"], registered: program,
      executable: "/usr/bin/f")

    #expect(place.program == program)
  }

  @Test func `the socket is found by the daemon's rule`() throws {
    let runtime = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: runtime) }

    #expect(SocketRule.socket(environment: ["NIGHTJAR_SOCKET": "/s", "NIGHTJAR_HOME": "/n"]).path == "/s")
    #expect(SocketRule.socket(environment: ["NIGHTJAR_HOME": "/n/", "HOME": "/h"]).path == "/n/run/nightjar.sock")
    #expect(
      SocketRule.socket(environment: ["XDG_RUNTIME_DIR": runtime.path, "HOME": "/h"]).path
        == runtime.path + "/nightjar/nightjar.sock")
    #expect(
      SocketRule.socket(environment: ["XDG_RUNTIME_DIR": "/nowhere", "HOME": "/h"]).path
        == "/h/.local/state/nightjar/run/nightjar.sock")
    #expect(
      SocketRule.socket(environment: ["XDG_RUNTIME_DIR": "relative", "XDG_STATE_HOME": "/x"]).path
        == "/x/nightjar/run/nightjar.sock")
  }

  @Test func `every session has a folder of its own`() {
    let names = ["films", "films/../x", "FILMS", "фильмы", "", String(repeating: "a", count: 300), "a.b-c_d"]

    let folders = names.map(SessionFolder.name)

    #expect(Set(folders).count == names.count)
    #expect(folders.allSatisfy { $0.utf8.count < 200 && !$0.contains("/") })
    #expect(folders[1] == "session-films%2F..%2Fx")
  }
}
