import NightjarCommand
import Testing

/// `bundle --terminal`: an app around a program that is there already.
@Suite(.timeLimit(.minutes(2))) struct TerminalMakingTests {
  @Test(arguments: [
    (["-c", "release"], "--configuration"), (["--package-path", "."], "--package-path"),
    (["--skip-build", "--static-swift-stdlib"], "--static-swift-stdlib and --skip-build"),
  ])
  func `a terminal is not built, so nothing is said about how`(options: [String], words: String) async throws {
    let bench = try Bench()
    let arguments = ["bundle", "Top", "--terminal"] + options + ["--", "top"]

    #expect(await Program.run(arguments, in: bench.surroundings()) == 2)
    #expect(bench.screen.errors.contains("--terminal builds nothing, so it goes without \(words)."))
    #expect(bench.names(in: "").isEmpty)
  }

  @Test func `a terminal has its icon and its keys from a folder`() async throws {
    let bench = try Bench()
    let surroundings = try bench.terminal(
      plist: """
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>org.me.Top</string>
        <key>CFBundleExecutable</key><string>Top</string>
        <key>CFBundleIconFile</key><string>icon</string>
        </dict></plist>
        """)

    let arguments = ["bundle", "Top", "--terminal", "--files", "files", "--", "top", "-d", "<5>"]
    #expect(await Program.run(arguments, in: surroundings) == 0)

    #expect(bench.names(in: "Top.app") == ["Info.plist", "Top", "icon.png"])
    #expect(bench.screen.output.contains("the app org.me.Top.\n"))
    let words = "<string>-d</string>\n\t\t<string>&lt;5&gt;</string>"
    #expect(bench.text(of: "Top.app/Info.plist")?.contains(words) == true)
  }

  @Test func `a terminal is made twice of the folder that it is put into`() async throws {
    let bench = try Bench()
    let surroundings = try bench.terminal()
    try bench.script("#!/bin/sh\n", to: "own")

    for _ in 1...2 {
      let arguments = ["bundle", "Top", "--terminal", "--files", ".", "--", "./own"]
      #expect(await Program.run(arguments, in: surroundings) == 0, "\(bench.screen.errors)")
    }

    #expect(bench.names(in: "Top.app") == ["Info.plist", "Top", "files", "own", "tools"])
    #expect(bench.names(in: "") == ["Top.app", "files", "own", "tools"])
  }

  @Test(arguments: [("./own", "./own"), ("./here", "FOLDER/here"), ("sub/../here", "FOLDER/here"), ("/a/b", "/a/b")])
  func `a terminal's program is meant within the bundle if it goes there, else from this folder`(
    program: String, written: String
  ) async throws {
    let bench = try Bench()
    let surroundings = try bench.terminal()
    for name in ["files/own", "own", "here"] { try bench.script("#!/bin/sh\n", to: name) }

    let arguments = ["bundle", "Metrics", "--terminal", "--files", "files", "--", program, "-x"]
    #expect(await Program.run(arguments, in: surroundings) == 0)

    let words = "<string>\(written.replacing("FOLDER", with: bench.folder))</string>\n\t\t<string>-x</string>"
    #expect(bench.text(of: "Metrics.app/Info.plist")?.contains(words) == true)
    #expect(bench.screen.errors.isEmpty)
  }

  @Test(arguments: [
    ("./none", "neither among --files, to go into the bundle, nor from here, as"), ("./icon.png", "neither among"),
    ("./tools", "neither among"), ("", "Name the app and its program"),
    ("/bin/a\u{1b}b", "takes no control characters"),
  ])
  func `a terminal whose program could never be started is refused`(program: String, words: String) async throws {
    let bench = try Bench()
    let surroundings = try bench.terminal()

    let arguments = ["bundle", "Top", "--terminal", "--files", "files", "--", program]
    #expect(await Program.run(arguments, in: surroundings) == 2)

    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
    #expect(bench.names(in: "") == ["files", "tools"])
  }

  @Test func `a terminal's program that is not along the path yet is noticed`() async throws {
    let bench = try Bench()
    var surroundings = try bench.terminal()
    surroundings.environment["PATH"] = bench.folder + "/tools"
    try bench.folders("tools/htop")  // No program, although it may be entered.

    let options = ["bundle", "Top", "--terminal", "--files", "files", "--"]
    #expect(await Program.run(options + ["nightjar-terminal"], in: surroundings) == 0)
    #expect(bench.screen.errors.isEmpty)
    #expect(await Program.run(options + ["htop"], in: surroundings) == 0)
    #expect(bench.screen.errors.hasPrefix("nightjar: There is no program htop along PATH;"))
  }

  @Test(arguments: [
    ("bplist00", Int32(2), "has to be XML"),
    ("<plist><dict><key>NightjarTerminalCommand</key><array/></dict></plist>", 2, "has to be XML, and without"),
    ("<plist><dict><key>CFBundleIdentifier</key><string>org.me.Top</string></dict></plist>", 1, "CFBundleExecutable"),
  ])
  func `a terminal that could not be installed is refused, and the earlier one stays`(
    plist: String, status: Int32, words: String
  ) async throws {
    let bench = try Bench()
    let surroundings = try bench.terminal(plist: plist)
    try bench.folders("Top.app")
    try bench.write("old", to: "Top.app/old")

    let arguments = ["bundle", "Top", "--terminal", "--files", "files", "--", "top"]
    #expect(await Program.run(arguments, in: surroundings) == status)

    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
    #expect(bench.names(in: "Top.app") == ["old"])
  }
}

extension Bench {
  /// Surroundings with a `nightjar-terminal` beside the program, and a folder `files` with an icon.
  func terminal(plist: String? = nil) throws -> Surroundings {
    try folders("files", "tools")
    try script("#!/bin/sh\n", to: "tools/nightjar-terminal")
    try write("icon", to: "files/icon.png")
    if let plist { try write(plist, to: "files/Info.plist") }
    var surroundings = self.surroundings()
    surroundings.program = folder + "/tools/nightjar"
    return surroundings
  }
}
