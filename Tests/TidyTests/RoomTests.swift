import Testing

/// What every room may import. ARCHITECTURE.md gives the reasons.
@Suite struct RoomTests {
  static let pure = [
    "NightjarModel", "NightjarHabits", "NightjarCore", "NightjarSimulator", "NightjarPictures", "NightjarTerminal",
  ]
  static let system: Set = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization", "Swift",
  ]
  static let rooms: [String: Set<String>] = [
    "NightjarModel": [],
    "NightjarHabits": ["NightjarModel"],
    "NightjarCore": ["NightjarModel", "NightjarHabits"],
    "NightjarSimulator": ["NightjarModel", "NightjarHabits", "NightjarCore", "NightjarPictures"],
    "Varlink": system.union(["CVarlinkLinux"]),
    "NightjarWire": system.union(["NightjarModel", "Varlink"]),
    "NightjarStore": system.union(["NightjarModel", "NightjarCore", "GRDB", "GRDBSQLite"]),
    "HTTPPreparation": ["NIOCore", "NIOHTTP1"],
    "NightjarTransfer": system.union([
      "NightjarModel", "HTTPPreparation", "CNightjarFiles", "CNightjarZlib", "Crypto", "Logging", "NIOCore", "NIOPosix",
      "NIOHTTP1", "NIOHTTP2", "NIOSSL", "NIOConcurrencyHelpers", "NIOHPACK", "NIOTLS",
    ]),
    "NightjarPlatform": system.union(["NightjarModel", "CNightjarBus", "CNightjarSpawn"]),
    "NightjarClient": system.union(["NightjarModel", "NightjarWire", "Varlink"]),
    "NightjarHome": system.union([
      "HTTPPreparation", "NightjarClient", "NightjarWire", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging",
      "NIOCore", "NIOHTTPTypes",
    ]),
    "UIKit": ["Foundation", "Nightjar"],
    "BackgroundTasks": ["Foundation", "Nightjar"],
    "UserNotifications": ["Foundation", "Nightjar"],
    "NightjarTesting": system.union([
      "FoundationNetworking", "Nightjar", "NightjarSimulator", "NightjarPictures", "NightjarCore", "NightjarModel",
      "NightjarWire",
    ]),
    "NightjarTerminal": [],
    "NightjarBacktest": system.union([
      "NightjarModel", "NightjarHabits", "NightjarCore", "NightjarPictures", "CNightjarZlib",
    ]),
    "NightjarPictures": ["Glibc", "Musl"],
    "nightjar-terminal": ["Foundation", "Nightjar", "NightjarTerminal", "Synchronization"],
    "Nightjar": system.union(["FoundationNetworking", "NightjarModel", "NightjarWire", "Varlink"]),
  ]

  @Test(arguments: Sources.files(below: "Sources").filter { rooms[$0.room] != nil })
  func `a room imports only what it may`(file: Sources.File) {
    let allowed = Self.rooms[file.room]!

    let strangers = file.imports.filter { !allowed.contains($0) }

    #expect(strangers.isEmpty, "\(file.path) imports \(strangers); \(file.room) may import \(allowed.sorted())")
  }

  @Test(arguments: Sources.files(below: "Sources").filter { pure.contains($0.room) })
  func `a pure room neither waits nor reads a clock nor draws a number`(file: Sources.File) {
    let forbidden = [
      "ContinuousClock", "SuspendingClock", "Date(", " async ", " await ", ".random(", "SystemRandomNumberGenerator",
      " Task {", "print(",
    ]

    let found = file.lines.filter { line in
      let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
      return forbidden.contains { code.contains($0) }
    }

    #expect(found.isEmpty, "\(file.path): \(found)")
  }

  @Test func `only the turn loop calls the supervisor`() {
    let callers = Sources.files(below: "Sources").filter { file in
      !["NightjarCore", "NightjarSimulator", "nightjar-soak"].contains(file.room)
        && file.calls("supervisor.handle")
    }

    #expect(callers.map(\.path) == ["Sources/NightjarDaemon/Turns/TurnLoop.swift"])
  }

  @Test func `whoever reads HTTP has prepared for it`() {
    let files = ["Sources", "Examples", "Tests/Fixtures"].flatMap { Sources.files(below: $0) }
    let readers = files.filter { $0.calls(" Application", "ByteToMessageHandler", "configureHTTPServerPipeline") }
    let prepared = Set(files.filter { $0.calls("prepareForHTTP") }.map(\.folder))

    #expect(readers.count >= 6)
    for reader in readers {
      #expect(
        prepared.contains { reader.path.hasPrefix($0) }, "\(reader.path): two threads may crash in Swift's runtime")
    }
  }

  @Test func `only the performer calls the rooms`() {
    let callers = Sources.files(below: "Sources/NightjarDaemon").filter {
      $0.calls("transfers.start", "launcher.launch", "launcher.end", "transfers.deliver")
    }

    #expect(callers.map(\.path) == ["Sources/NightjarDaemon/Turns/Performer.swift"])
  }
}
