import Testing

/// The habits of this house that a machine can check.
@Suite struct HabitTests {
  static let ours = ["Sources", "Tests", "Examples"].flatMap { Sources.files(below: $0, endings: ["swift", "c", "h"]) }

  /// The modules that browsers run. No formatter looks after them.
  static let scripts = ["Sources", "Tests", "Examples"].flatMap { Sources.files(below: $0, endings: ["js"]) }

  @Test(arguments: ours + scripts)
  func `nothing is left for later`(file: Sources.File) {
    let marks = ["TO" + "DO", "FIX" + "ME"]

    let found = file.lines.filter { line in marks.contains { line.contains($0) } }

    #expect(found.isEmpty, "\(file.path): \(found)")
  }

  @Test(arguments: ours)
  func `a file holds one idea`(file: Sources.File) {
    #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines: which second idea moved in?")
  }

  @Test(arguments: scripts)
  func `a script holds one idea, in lines no wider than those of Swift`(file: Sources.File) {
    let wide = file.lines.filter { $0.count > 120 }

    #expect(file.lines.count <= 300, "\(file.path) has \(file.lines.count) lines: which second idea moved in?")
    #expect(wide.isEmpty, "\(file.path): \(wide)")
  }

  @Test(arguments: ours)
  func `comments are no wider than code`(file: Sources.File) {
    let wide = file.lines.filter { line in line.count > 120 && line.drop { $0 == " " }.hasPrefix("//") }

    #expect(wide.isEmpty, "\(file.path): \(wide)")
  }

  @Test(arguments: Sources.files(below: "Sources"))
  func `types have plain names`(file: Sources.File) {
    let vague = ["Manager", "Helper", "Util", "Impl"]

    let found = file.lines.filter { line in
      let words = line.split { !$0.isLetter && !$0.isNumber }
      guard let kind = words.firstIndex(where: { ["struct", "class", "enum", "actor", "protocol"].contains($0) }),
        kind + 1 < words.count, !line.drop(while: { $0 == " " }).hasPrefix("//")
      else { return false }
      return vague.contains { words[kind + 1].hasSuffix($0) }
    }

    #expect(found.isEmpty, "\(file.path): \(found)")
  }

  @Test(arguments: Sources.files(below: "Sources").filter { $0.room != "NightjarDaemon" })
  func `nothing sleeps`(file: Sources.File) {
    let waits = ["usleep(", "Thread.sleep", "Task.sleep", " sleep("]

    let found = file.lines.filter { line in
      waits.contains { line.contains($0) } && !line.contains("//") && !line.contains("func ")
    }

    #expect(found.isEmpty, "\(file.path): \(found)")
  }

  /// From the first use of one on, libdispatch looks after its workers every second: the daemon would never be idle.
  @Test(arguments: Sources.files(below: "Sources").filter { daemons.contains($0.room) })
  func `the daemon uses no global queue`(file: Sources.File) {
    let found = file.lines.filter { $0.contains(".global(") }

    #expect(found.isEmpty, "\(file.path): \(found)")
  }

  static let daemons = [
    "nightjard", "NightjarDaemon", "NightjarCore", "NightjarModel", "NightjarPlatform", "NightjarStore",
    "NightjarTransfer", "NightjarWire", "Varlink",
  ]

  /// The compiler hands a closure that is all a generic type holds out in a shell, and puts it back in it: with each
  /// look at it there is one shell more to go through, until there is no stack left. In a struct it has none.
  @Test(arguments: ours)
  func `no closure stands alone behind a lock`(file: Sources.File) {
    let names = file.lines.filter { $0.contains("typealias ") && $0.contains("->") }
      .compactMap { $0.split(separator: "typealias ").last?.prefix { $0.isLetter } }

    let found = file.lines.filter { line in
      guard let lock = line.firstRange(of: "Mutex<") else { return line.hasSuffix("Mutex({") }
      let held = line[lock.upperBound...].drop { $0 == "(" }
      return held.hasPrefix("@") || names.contains { held.hasPrefix("\($0)?") || held.hasPrefix("\($0)>") }
    }

    #expect(found.isEmpty, "\(file.path): \(found)")
  }

  @Test(arguments: Sources.files(below: "Sources"))
  func `processes are never started by Foundation`(file: Sources.File) {
    let found = file.lines.filter { $0.contains(" Process()") && !$0.contains("//") }

    #expect(found.isEmpty, "\(file.path): Foundation.Process leaves signals blocked in its children")
  }
}
