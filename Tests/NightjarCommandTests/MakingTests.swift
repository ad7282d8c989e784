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
    try bench.folders(
      "tools", "built", "built/Hello.product", "built/Hello_Hello.resources", "built/Hello_Other.resources")
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

  /// A bundle as an earlier run has left it.
  private func earlierBundle(_ bench: Bench, at path: String) throws {
    try bench.folders(path)
    try bench.script("#!/bin/sh\n", to: path + "/Hello")
    try bench.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.me.Earlier</string>
      <key>CFBundleExecutable</key><string>Hello</string>
      </dict></plist>
      """, to: path + "/Info.plist")
  }

  // MARK: new

  @Test func `a new app has the sources that are tested here, and finds Nightjar by its place`() async throws {
    let bench = try Bench()
    try bench.folders("usr/share/nightjar/package/Sources/Nightjar")
    try bench.write("", to: "usr/share/nightjar/package/Package.swift")
    var surroundings = bench.surroundings()
    surroundings.program = bench.folder + "/usr/bin/nightjar"

    #expect(await Program.run(["new", "Hello", "--identifier", "org.me.Hello"], in: surroundings) == 0)

    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/TemplateApp/")
    for name in ["AppDelegate.swift", "Downloads.swift", "DownloadList.swift", "Origins.swift", "Refresh.swift"] {
      let tested = try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
      #expect(bench.text(of: "Hello/Sources/Hello/\(name)") == tested)
    }
    let manifest = bench.text(of: "Hello/Package.swift") ?? ""
    #expect(manifest.contains(".package(name: \"nightjar\", path: \"\(bench.folder)/usr/share/nightjar/package\")"))
    let information = bench.text(of: "Hello/Bundle/Info.plist") ?? ""
    #expect(information.contains("<string>org.me.Hello</string>"))
    #expect(information.contains("\t<key>UIBackgroundModes</key>\n\t<array>\n\t\t<string>fetch</string>\n\t</array>\n"))
    #expect(bench.names(in: "Hello") == [".gitignore", "Bundle", "Package.swift", "README.md", "Sources"])
    #expect(bench.names(in: "") == ["Hello", "usr"], "nothing else is left")
  }

  @Test func `a new app can have Nightjar from a repository`() async throws {
    let bench = try Bench()

    #expect(await bench.run("new", "Hello", "--nightjar", "https://example.com/tools/nightjar-swift.git") == 0)

    let manifest = bench.text(of: "Hello/Package.swift") ?? ""
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
    #expect(bench.names(in: "").isEmpty)
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
    try bench.folders("Hello")

    #expect(await bench.run("new", "Hello", "--nightjar", "https://example.com/nightjar") == 5)
    #expect(bench.screen.errors.contains("exists, and nothing is ever overwritten"))
    #expect(bench.names(in: "Hello").isEmpty)
    #expect(bench.names(in: "") == ["Hello"])
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
    #expect(bench.names(in: bundle) == ["Hello", "Hello_Hello.resources", "Info.plist"])
    #expect(bench.text(of: bundle + "/Hello_Hello.resources/data.txt") == "data")
    #expect(access("\(bench.folder)/\(bundle)/Hello", X_OK) == 0)
    #expect(bench.screen.output.hasPrefix("Made \(bench.folder)/\(bundle), the app com.example.Hello.\n"))
    #expect(bench.screen.errors.contains("one was made up"))
    #expect(bench.text(of: "asked")?.contains("--product Hello -c release --static-swift-stdlib\n") == true)
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
    try bench.folders("Bundle")
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

    #expect(bench.names(in: "out") == ["Hello.app"])
    #expect(bench.names(in: "out/Hello.app") == ["Hello", "Hello_Hello.resources", "Info.plist", "icon.png"])
    #expect(bench.screen.output.contains("\"app\" : \"org.me.Hello\""))
    #expect(!bench.screen.errors.contains("made up"))
  }

  @Test(arguments: ["folder", "broken bundle", "file", "link"])
  func `what has the bundle's name but is none is never replaced`(kind: String) async throws {
    let bench = try Bench()
    var surroundings = try package(bench)
    surroundings.program = try bench.terminal().program
    try earlierBundle(bench, at: "elsewhere/Hello.app")
    switch kind {
    case "folder": try bench.folders("Hello.app/thesis")
    case "broken bundle":
      try earlierBundle(bench, at: "Hello.app")
      #expect(unlink(bench.folder + "/Hello.app/Hello") == 0)
    case "file": try bench.write("thesis", to: "Hello.app")
    default: #expect(symlink("elsewhere/Hello.app", bench.folder + "/Hello.app") == 0)
    }
    let before = (bench.names(in: ""), bench.names(in: "Hello.app"), bench.text(of: "Hello.app"))

    for arguments in [["bundle", "--output", "."], ["bundle", "Hello", "--terminal", "--", "top"]] {
      #expect(await Program.run(arguments, in: surroundings) == 5)
    }

    #expect(bench.screen.errors.contains("\(bench.folder)/Hello.app is no bundle"), "\(bench.screen.errors)")
    #expect(bench.screen.errors.contains("move it away"))
    #expect(bench.names(in: "").filter { $0 != "asked" } == before.0)
    #expect(bench.names(in: "Hello.app") == before.1 && bench.text(of: "Hello.app") == before.2)
  }

  @Test func `a bundle that could not be installed is refused by its key, and the earlier one stays`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench)
    try bench.folders("Bundle", ".build/bundles/Hello.app")
    try bench.write("old", to: ".build/bundles/Hello.app/old")
    try bench.write(
      "<plist><dict><key>CFBundleIdentifier</key><string>a b</string></dict></plist>", to: "Bundle/Info.plist")

    #expect(await Program.run(["bundle"], in: surroundings) == 1)
    #expect(bench.screen.errors.contains("CFBundleIdentifier is \"a b\""))
    #expect(!bench.screen.errors.contains(".new-"))
    #expect(bench.names(in: ".build/bundles") == ["Hello.app"])
    #expect(bench.names(in: ".build/bundles/Hello.app") == ["old"])
  }

  @Test func `several products have to be told apart`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench, products: ["Hello", "Other"])

    #expect(await Program.run(["bundle"], in: surroundings) == 2)
    #expect(bench.screen.errors.contains("Say which product: Hello, Other."))
    #expect(await Program.run(["bundle", "Parts"], in: surroundings) == 2)
    #expect(bench.screen.errors.contains("no executable product Parts; it has Hello, Other."))
    #expect(await Program.run(["bundle", "Other", "--output", "out"], in: surroundings) == 0)
    #expect(bench.names(in: "out") == ["Other.app"])
  }

  @Test func `what does not build is no bundle`() async throws {
    let bench = try Bench()
    let surroundings = try package(bench, fails: true)

    #expect(await Program.run(["bundle"], in: surroundings) == 1)
    #expect(bench.screen.errors.contains("`swift build` ended with 1"))
    #expect(bench.names(in: ".build/bundles").isEmpty)
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
