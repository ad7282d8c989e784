import FoundationEssentials
import Glibc
import NightjarCommand
import Testing

@testable import struct NightjarCommand.InfoPlist
@testable import struct NightjarCommand.NewAppName

/// `new` and `bundle`. The compiler is a script here, which says what `swift` says and builds what `true` is.
@Suite(.timeLimit(.minutes(2))) struct MakingTests {
  /// A package with these executable products, built, and a program `swift` that knows it.
  private func package(
    _ bench: Bench, products: [String] = ["Hello"], fails: Bool = false
  ) throws -> Surroundings {
    let described = products.map { "{\"name\":\"\($0)\",\"targets\":[\"\($0)\"],\"type\":{\"executable\":null}}" }
    let library = "{\"name\":\"Parts\",\"targets\":[\"Parts\"],\"type\":{\"library\":[\"automatic\"]}}"
    try folders(
      bench, "tools", "built", "built/Hello.product", "built/Hello_Hello.resources", "built/Hello_Other.resources")
    try bench.write("", to: "Package.swift")
    try bench.write("data", to: "built/Hello_Hello.resources/data.txt")
    try bench.write("/b/Hello.build/a.o\n/b/Parts.build/b.o\n", to: "built/Hello.product/Objects.LinkFileList")
    try bench.script(
      """
      #!/bin/sh
      echo "$*" >> \(bench.folder)/asked
      case "$*" in
        *describe*) echo '{"name":"hello","products":[\((described + [library]).joined(separator: ","))]}' ;;
        *--show-bin-path*) echo \(bench.folder)/built ;;
        *) echo compiling; for name in \(products.joined(separator: " ")); do cp /bin/true \(bench.folder)/built/$name; done
           exit \(fails ? 1 : 0) ;;
      esac
      """, to: "tools/swift")
    return bench.surroundings(environment: [
      "PATH": "\(bench.folder)/tools:/bin:/usr/bin", "NIGHTJAR_SOCKET": bench.socket,
    ])
  }

  private func folders(_ bench: Bench, _ names: String...) throws {
    for name in names {
      try FileManager.default.createDirectory(atPath: "\(bench.folder)/\(name)", withIntermediateDirectories: true)
    }
  }

  /// A bundle as an earlier run has left it.
  private func earlierBundle(_ bench: Bench, at path: String) throws {
    try folders(bench, path)
    try bench.script("#!/bin/sh\n", to: path + "/Hello")
    try bench.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.me.Earlier</string>
      <key>CFBundleExecutable</key><string>Hello</string>
      </dict></plist>
      """, to: path + "/Info.plist")
  }

  private func text(_ bench: Bench, _ name: String) -> String? {
    FileManager.default.contents(atPath: "\(bench.folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  private func names(_ bench: Bench, _ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(bench.folder)/\(folder)")) ?? []).sorted()
  }

  // MARK: new

  @Test func `a new app has the sources that are tested here, and finds Nightjar by its place`() async throws {
    let bench = try Bench()
    try folders(bench, "usr/share/nightjar/package/Sources/Nightjar")
    try bench.write("", to: "usr/share/nightjar/package/Package.swift")
    var surroundings = bench.surroundings()
    surroundings.program = bench.folder + "/usr/bin/nightjar"

    #expect(await Program.run(["new", "Hello", "--identifier", "org.me.Hello"], in: surroundings) == 0)

    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/TemplateApp/")
    for name in ["AppDelegate.swift", "Downloads.swift", "DownloadList.swift", "Origins.swift", "Refresh.swift"] {
      let tested = try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
      #expect(text(bench, "Hello/Sources/Hello/\(name)") == tested)
    }
    let manifest = text(bench, "Hello/Package.swift") ?? ""
    #expect(manifest.contains(".package(name: \"nightjar\", path: \"\(bench.folder)/usr/share/nightjar/package\")"))
    let information = text(bench, "Hello/Bundle/Info.plist") ?? ""
    #expect(information.contains("<string>org.me.Hello</string>"))
    #expect(information.contains("\t<key>UIBackgroundModes</key>\n\t<array>\n\t\t<string>fetch</string>\n\t</array>\n"))
    #expect(names(bench, "Hello") == [".gitignore", "Bundle", "Package.swift", "README.md", "Sources"])
    #expect(names(bench, "") == ["Hello", "usr"], "nothing else is left")
  }

  @Test func `a new app can have Nightjar from a repository`() async throws {
    let bench = try Bench()

    #expect(await bench.run("new", "Hello", "--nightjar", "https://example.com/tools/nightjar-swift.git") == 0)

    let manifest = text(bench, "Hello/Package.swift") ?? ""
    #expect(manifest.contains(".package(url: \"https://example.com/tools/nightjar-swift.git\", branch: \"main\")"))
    #expect(manifest.contains("package: \"nightjar-swift\""))
  }

  @Test(arguments: [
    ("../x", "cannot be an app's name"), ("my-app", "cannot be an app's name"), ("", "cannot be an app's name"),
    ("1st", "cannot be an app's name"), ("Ünal", "cannot be an app's name"), ("class", "means something else"),
    ("Nightjar", "means something else"), ("downloads", "means something else"), ("UIKit", "means something else"),
    ("Logging", "means something else"), ("Hummingbird", "means something else"),
    (String(repeating: "a", count: 65), "too long"),
  ])
  func `a name that cannot be is refused in words`(name: String, words: String) async throws {
    let bench = try Bench()

    #expect(await bench.run("new", name, "--nightjar", "https://example.com/nightjar") == 2)
    #expect(bench.screen.errors.contains(words))
    #expect(names(bench, "").isEmpty)
  }

  @Test func `no app is called what a target is that Nightjar's products are made of`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/")
    let rooms = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let targets = rooms.filter { $0 != "ScriptedServer" }  // The tests' alone.

    for name in targets { #expect(throws: (any Error).self, "\(name)") { try NewAppName(argument: name).check() } }

    #expect(targets.contains("NightjarClient"))
  }

  @Test func `what stands there is never overwritten`() async throws {
    let bench = try Bench()
    try folders(bench, "Hello")

    #expect(await bench.run("new", "Hello", "--nightjar", "https://example.com/nightjar") == 5)
    #expect(bench.screen.errors.contains("exists, and nothing is ever overwritten"))
    #expect(names(bench, "Hello").isEmpty)
    #expect(names(bench, "") == ["Hello"])
  }

  @Test func `where Nightjar's sources cannot be found, the way out is told`() async throws {
    let bench = try Bench()

    #expect(await bench.run("new", "Hello") == 2)
    #expect(bench.screen.errors.contains("say with --nightjar"))
    #expect(await bench.run("new", "Hello", "--nightjar", "nowhere") == 2)
    #expect(bench.screen.errors.contains("nowhere does not hold Nightjar's sources"))
  }

  // MARK: bundle

  @Test func `a product becomes a bundle with what belongs to it, and an Info plist is made up`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench)

    #expect(await Program.run(["bundle", "-c", "release", "--static-swift-stdlib"], in: surroundings) == 0)

    let bundle = ".build/bundles/Hello.app"
    #expect(names(bench, bundle) == ["Hello", "Hello_Hello.resources", "Info.plist"])
    #expect(text(bench, bundle + "/Hello_Hello.resources/data.txt") == "data")
    #expect(access("\(bench.folder)/\(bundle)/Hello", X_OK) == 0)
    #expect(bench.screen.output.hasPrefix("Made \(bench.folder)/\(bundle), the app com.example.Hello.\n"))
    #expect(bench.screen.errors.contains("one was made up"))
    #expect(text(bench, "asked")?.contains("--product Hello -c release --static-swift-stdlib\n") == true)
  }

  @Test func `an Info plist that is made up holds every name that a product can have`() {
    let text = InfoPlist(name: "A&B<C>", identifier: "org.me.A").text

    #expect(text.contains("<key>CFBundleExecutable</key>\n\t<string>A&amp;B&lt;C&gt;</string>\n"))
  }

  @Test func `the next step can be pasted, whatever the folder is called`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench)

    #expect(await Program.run(["bundle", "--output", "my apps"], in: surroundings) == 0)
    #expect(bench.screen.output.hasSuffix("Next: nightjar install '\(bench.folder)/my apps/Hello.app'\n"))
  }

  @Test func `a package's own files go into the bundle, and a bundle is replaced whole`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench)
    try folders(bench, "Bundle")
    try earlierBundle(bench, at: "out/Hello.app")
    try bench.write("old", to: "out/Hello.app/left-over")
    try bench.write("icon", to: "Bundle/icon.png")
    try bench.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.me.Hello</string>
      <key>CFBundleExecutable</key><string>Hello</string>
      <key>CFBundleIconFile</key><string>icon</string>
      </dict></plist>
      """, to: "Bundle/Info.plist")

    #expect(await Program.run(["bundle", "--output", "out", "--json"], in: surroundings) == 0)

    #expect(names(bench, "out") == ["Hello.app"])
    #expect(names(bench, "out/Hello.app") == ["Hello", "Hello_Hello.resources", "Info.plist", "icon.png"])
    #expect(bench.screen.output.contains("\"app\" : \"org.me.Hello\""))
    #expect(!bench.screen.errors.contains("made up"))
  }

  @Test(arguments: ["folder", "broken bundle", "file", "link"])
  func `what has the bundle's name but is none is never replaced`(kind: String) async throws {
    let bench = try Bench()
    var surroundings = try package(bench)
    surroundings.program = try terminal(bench).program
    try earlierBundle(bench, at: "elsewhere/Hello.app")
    switch kind {
    case "folder": try folders(bench, "Hello.app/thesis")
    case "broken bundle":
      try earlierBundle(bench, at: "Hello.app")
      #expect(unlink(bench.folder + "/Hello.app/Hello") == 0)
    case "file": try bench.write("thesis", to: "Hello.app")
    default: #expect(symlink("elsewhere/Hello.app", bench.folder + "/Hello.app") == 0)
    }
    let before = (names(bench, ""), names(bench, "Hello.app"), text(bench, "Hello.app"))

    for arguments in [["bundle", "--output", "."], ["bundle", "Hello", "--terminal", "--", "top"]] {
      #expect(await Program.run(arguments, in: surroundings) == 5)
    }

    #expect(bench.screen.errors.contains("\(bench.folder)/Hello.app is no bundle"), "\(bench.screen.errors)")
    #expect(bench.screen.errors.contains("move it away"))
    #expect(names(bench, "").filter { $0 != "asked" } == before.0)
    #expect(names(bench, "Hello.app") == before.1 && text(bench, "Hello.app") == before.2)
  }

  @Test func `a bundle that could not be installed is refused by its key, and the earlier one stays`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench)
    try folders(bench, "Bundle", ".build/bundles/Hello.app")
    try bench.write("old", to: ".build/bundles/Hello.app/old")
    try bench.write(
      "<plist><dict><key>CFBundleIdentifier</key><string>a b</string></dict></plist>", to: "Bundle/Info.plist")

    #expect(await Program.run(["bundle"], in: surroundings) == 1)
    #expect(bench.screen.errors.contains("CFBundleIdentifier is \"a b\""))
    #expect(!bench.screen.errors.contains(".new-"))
    #expect(names(bench, ".build/bundles") == ["Hello.app"])
    #expect(names(bench, ".build/bundles/Hello.app") == ["old"])
  }

  @Test func `several products have to be told apart`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench, products: ["Hello", "Other"])

    #expect(await Program.run(["bundle"], in: surroundings) == 2)
    #expect(bench.screen.errors.contains("Say which product: Hello, Other."))
    #expect(await Program.run(["bundle", "Parts"], in: surroundings) == 2)
    #expect(bench.screen.errors.contains("no executable product Parts; it has Hello, Other."))
    #expect(await Program.run(["bundle", "Other", "--output", "out"], in: surroundings) == 0)
    #expect(names(bench, "out") == ["Other.app"])
  }

  @Test(arguments: [
    (["-c", "release"], "--configuration"), (["--package-path", "."], "--package-path"),
    (["--skip-build", "--static-swift-stdlib"], "--static-swift-stdlib and --skip-build"),
  ])
  func `a terminal is not built, so nothing is said about how`(options: [String], words: String) async throws {
    let bench = try Bench()
    let arguments = ["bundle", "Top", "--terminal"] + options + ["--", "top"]

    #expect(await Program.run(arguments, in: bench.surroundings()) == 2)
    #expect(bench.screen.errors.contains("--terminal builds nothing, so it goes without \(words)."))
    #expect(names(bench, "").isEmpty)
  }

  /// Surroundings with a `nightjar-terminal` beside the program, and a folder `files` with an icon.
  private func terminal(_ bench: Bench, plist: String? = nil) throws -> Surroundings {
    try folders(bench, "files", "tools")
    try bench.script("#!/bin/sh\n", to: "tools/nightjar-terminal")
    try bench.write("icon", to: "files/icon.png")
    if let plist { try bench.write(plist, to: "files/Info.plist") }
    var surroundings = bench.surroundings()
    surroundings.program = bench.folder + "/tools/nightjar"
    return surroundings
  }

  @Test func `a terminal has its icon and its keys from a folder`() async throws {
    let bench = try Bench()
    let surroundings = try terminal(
      bench,
      plist: """
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>org.me.Top</string>
        <key>CFBundleExecutable</key><string>Top</string>
        <key>CFBundleIconFile</key><string>icon</string>
        </dict></plist>
        """)

    let arguments = ["bundle", "Top", "--terminal", "--files", "files", "--", "top", "-d", "<5>"]
    #expect(await Program.run(arguments, in: surroundings) == 0)

    #expect(names(bench, "Top.app") == ["Info.plist", "Top", "icon.png"])
    #expect(bench.screen.output.contains("the app org.me.Top.\n"))
    #expect(text(bench, "Top.app/Info.plist")?.contains("<string>-d</string>\n\t\t<string>&lt;5&gt;</string>") == true)
  }

  @Test func `a terminal is made twice of the folder that it is put into`() async throws {
    let bench = try Bench()
    let surroundings = try terminal(bench)
    try bench.script("#!/bin/sh\n", to: "own")

    for _ in 1...2 {
      let arguments = ["bundle", "Top", "--terminal", "--files", ".", "--", "./own"]
      #expect(await Program.run(arguments, in: surroundings) == 0, "\(bench.screen.errors)")
    }

    #expect(names(bench, "Top.app") == ["Info.plist", "Top", "files", "own", "tools"])
    #expect(names(bench, "") == ["Top.app", "files", "own", "tools"])
  }

  @Test(arguments: [("./own", "./own"), ("./here", "FOLDER/here"), ("sub/../here", "FOLDER/here"), ("/a/b", "/a/b")])
  func `a terminal's program is meant within the bundle if it goes there, else from this folder`(
    program: String, written: String
  ) async throws {
    let bench = try Bench()
    let surroundings = try terminal(bench)
    for name in ["files/own", "own", "here"] { try bench.script("#!/bin/sh\n", to: name) }

    let arguments = ["bundle", "Metrics", "--terminal", "--files", "files", "--", program, "-x"]
    #expect(await Program.run(arguments, in: surroundings) == 0)

    let words = "<string>\(written.replacing("FOLDER", with: bench.folder))</string>\n\t\t<string>-x</string>"
    #expect(text(bench, "Metrics.app/Info.plist")?.contains(words) == true)
    #expect(bench.screen.errors.isEmpty)
  }

  @Test(arguments: [
    ("./none", "neither among --files, to go into the bundle, nor from here, as"), ("./icon.png", "neither among"),
    ("./tools", "neither among"), ("", "Name the app and its program"),
    ("/bin/a\u{1b}b", "takes no control characters"),
  ])
  func `a terminal whose program could never be started is refused`(program: String, words: String) async throws {
    let bench = try Bench()
    let surroundings = try terminal(bench)

    let arguments = ["bundle", "Top", "--terminal", "--files", "files", "--", program]
    #expect(await Program.run(arguments, in: surroundings) == 2)

    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
    #expect(names(bench, "") == ["files", "tools"])
  }

  @Test func `a terminal's program that is not along the path yet is noticed`() async throws {
    let bench = try Bench()
    var surroundings = try terminal(bench)
    surroundings.environment["PATH"] = bench.folder + "/tools"
    try folders(bench, "tools/htop")  // No program, although it may be entered.

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
    let surroundings = try terminal(bench, plist: plist)
    try folders(bench, "Top.app")
    try bench.write("old", to: "Top.app/old")

    let arguments = ["bundle", "Top", "--terminal", "--files", "files", "--", "top"]
    #expect(await Program.run(arguments, in: surroundings) == status)

    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
    #expect(names(bench, "Top.app") == ["old"])
  }

  @Test func `what does not build is no bundle`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench, fails: true)

    #expect(await Program.run(["bundle"], in: surroundings) == 1)
    #expect(bench.screen.errors.contains("`swift build` ended with 1"))
    #expect(names(bench, ".build/bundles").isEmpty)
  }

  @Test func `without a package or a compiler the way out is told`() async throws {
    let bench = try Bench()

    #expect(await bench.run("bundle") == 2)
    #expect(bench.screen.errors.contains("nightjar new"))
    try bench.write("", to: "Package.swift")
    let nothing = bench.surroundings(environment: ["PATH": bench.folder, "NIGHTJAR_SOCKET": bench.socket])
    #expect(await Program.run(["bundle"], in: nothing) == 1)
    #expect(bench.screen.errors.contains("swift was not found along PATH; install it"))
  }
}
