import Glibc
import NightjarModel
import NightjarPlatform
import Testing

@Suite struct BundleTests {
  @Test func `a bundle tells what its Info plist says`() throws {
    let place = try TestHome()
    let path = try place.bundle(
      info: """
        <key>CFBundleDisplayName</key><string>Test &amp; Try</string>
        <key>CFBundleIconFile</key><string>Icon</string>
        <key>UIBackgroundModes</key><array><string>fetch</string><string>remote-notification</string></array>
        <key>UIApplicationExitsOnSuspend</key><true/>
        """)
    _ = try place.file("source/dev.test.App/Test.app/Icon.png", "png")

    let bundle = try AppBundle(at: path)

    #expect(bundle.id == AppID("dev.test.App") && bundle.displayName == "Test & Try")
    #expect(bundle.executable == path + "/run" && bundle.icon == path + "/Icon.png")
    #expect(bundle.backgroundModes == [.fetch, .remoteNotification] && bundle.exitsOnSuspend)
  }

  @Test func `a bundle without a name is called like its folder`() throws {
    let place = try TestHome()

    let bundle = try AppBundle(at: try place.bundle())

    #expect(bundle.displayName == "Test" && bundle.icon == nil && bundle.backgroundModes == [])
  }

  @Test func `a binary property list is read as well`() throws {
    let place = try TestHome()
    let path = try place.bundle()
    // {CFBundleIdentifier: "a.b", CFBundleExecutable: "run"}, written by hand after Apple's CFBinaryPList.c.
    var bytes = Array("bplist00".utf8) + [0xD2, 1, 2, 3, 4]
    var offsets: [UInt8] = [8]
    for text in ["CFBundleIdentifier", "CFBundleExecutable", "a.b", "run"] {
      offsets.append(UInt8(bytes.count))
      bytes += text.utf8.count < 15 ? [0x50 | UInt8(text.utf8.count)] : [0x5F, 0x10, UInt8(text.utf8.count)]
      bytes += text.utf8
    }
    let table = UInt8(bytes.count)
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 5] + [UInt8](repeating: 0, count: 15)
    bytes += offsets + trailer + [table]
    let file = open(path + "/Info.plist", O_WRONLY | O_TRUNC)
    write(file, bytes, bytes.count)
    close(file)

    #expect(try AppBundle(at: path).id == AppID("a.b"))
  }

  @Test(
    arguments: [
      ("CFBundleIdentifier", "<string>../evil</string>"), ("CFBundleIdentifier", "<string>dev.nightjar.cli</string>"),
      ("CFBundleIdentifier", "<integer>7</integer>"), ("CFBundleExecutable", "<string>../run</string>"),
      ("CFBundleExecutable", "<string>/bin/sh</string>"), ("CFBundleExecutable", "<string>link</string>"),
      ("CFBundleExecutable", "<string>folder</string>"), ("CFBundleExecutable", "<string>folder/link/sh</string>"),
      ("CFBundleExecutable", "<string>odd\u{600}/env</string>"),
      ("CFBundleExecutable", "<string>Info.plist</string>"), ("CFBundleExecutable", "<string>missing</string>"),
      ("CFBundleExecutable", "<string></string>"), ("CFBundleDisplayName", "<string></string>"),
      ("CFBundleDisplayName", "<string>two\nlines</string>"), ("CFBundleDisplayName", "<string> </string>"),
      ("CFBundleDisplayName", "<string>\u{200B}</string>"), ("CFBundleDisplayName", "<string>\u{3164}</string>"),
      ("CFBundleDisplayName", "<string>a\u{202E}b</string>"), ("CFBundleDisplayName", "<string>a\u{2067}b</string>"),
      ("CFBundleIconFile", "<string>missing</string>"),
      ("UIBackgroundModes", "<array><string>sleep</string></array>"), ("UIBackgroundModes", "<string>fetch</string>"),
      ("UIApplicationExitsOnSuspend", "<string>YES</string>"),
    ])
  func `an invalid value is refused by its key`(key: String, value: String) throws {
    let place = try TestHome()
    let path = try place.bundle()
    _ = try place.folder("source/dev.test.App/Test.app/folder")
    symlink("/bin/sh", path + "/link")
    symlink("/bin", path + "/folder/link")
    symlink("/usr/bin", path + "/odd\u{600}")
    var values = ["CFBundleIdentifier": "<string>a.b</string>", "CFBundleExecutable": "<string>run</string>"]
    values[key] = value
    let pairs = values.map { "<key>\($0.key)</key>\($0.value)" }.joined()
    _ = try place.file(
      "source/dev.test.App/Test.app/Info.plist", "<plist version=\"1.0\"><dict>\(pairs)</dict></plist>")

    let refusal = try #require(error { () throws(PlatformError) in try AppBundle(at: path) })

    #expect(refusal.code == .badBundle(key: key))
    #expect(refusal.detail.contains(key))
  }

  @Test(arguments: ["\u{200E}WhatsUp", "می\u{200C}خوانم", "👩\u{200D}🚀", "🏴\u{E0067}\u{E0062}\u{E007F}", "A B"])
  func `a name that people can read is taken as it is`(name: String) throws {
    let place = try TestHome()
    let path = try place.bundle()
    let pairs =
      "<key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleExecutable</key><string>run</string>"
      + "<key>CFBundleDisplayName</key><string>\(name)</string>"
    _ = try place.file(
      "source/dev.test.App/Test.app/Info.plist", "<plist version=\"1.0\"><dict>\(pairs)</dict></plist>")

    #expect(try AppBundle(at: path).displayName == name)
  }

  @Test(arguments: ["", "not a property list", "<plist version=\"1.0\"><array/></plist>"])
  func `something else than a dictionary is refused`(text: String) throws {
    let place = try TestHome()
    let path = try place.bundle()
    _ = try place.file("source/dev.test.App/Test.app/Info.plist", text)

    #expect(error { () throws(PlatformError) in try AppBundle(at: path) }?.code == .badBundle(key: nil))
  }

  @Test(
    arguments: [
      ("<plist><dict><key>a</key>", "<array>"), ("<plist><dict><key>a</key>", "<array ><!--</array>-->"),
      ("", "<plist>"), ("", "("), ("// old\n{ a = ", "(\")\","),
    ])
  func `lists in one another without end are refused`(start: String, level: String) throws {
    let place = try TestHome()
    let path = try place.bundle()
    let text = start + String(repeating: level, count: 40_000)
    _ = try place.file("source/dev.test.App/Test.app/Info.plist", text)

    let refusal = error { () throws(PlatformError) in try AppBundle(at: path) }

    #expect(refusal?.code == .badBundle(key: nil))
    #expect(refusal?.detail.contains("in one another") == true)
  }

  @Test func `many lists beside one another are read`() throws {
    let place = try TestHome()
    let lists = String(repeating: "<array><dict></dict><array/></array><!-- <array> -->", count: 1000)

    let bundle = try AppBundle(at: try place.bundle(info: "<key>Many</key><array>\(lists)</array>"))

    #expect(bundle.id == AppID("dev.test.App"))
  }

  @Test func `a missing key is named`() throws {
    let place = try TestHome()
    let path = try place.bundle()
    _ = try place.file("source/dev.test.App/Test.app/Info.plist", "<plist version=\"1.0\"><dict></dict></plist>")

    let refusal = error { () throws(PlatformError) in try AppBundle(at: path) }

    #expect(refusal?.code == .badBundle(key: "CFBundleIdentifier"))
  }

  @Test func `a folder of another name, and no folder, are refused`() throws {
    let place = try TestHome()
    let plain = try place.folder("Plain")

    #expect(error { () throws(PlatformError) in try AppBundle(at: plain) }?.code == .badBundle(key: nil))
    #expect(error { () throws(PlatformError) in try AppBundle(at: "/none.app") }?.code == .badBundle(key: nil))
  }
}
