import FoundationEssentials
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct CapabilityTests {
  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>dev.example.Player</string>
    <key>CFBundleExecutable</key><string>Player</string>
    <key>UIBackgroundModes</key><array><string>audio</string></array>
    <key>Whole</key><integer>7</integer><key>Real</key><real>1.5</real><key>Yes</key><true/>
    <key>When</key><date>2026-11-22T08:00:00Z</date><key>Bytes</key><data>AQID</data>
    <key>Deep</key><dict><key>a</key><array><integer>-1</integer><string>&lt;x&gt;</string><dict/></array></dict>
    </dict></plist>
    """

  @Test(arguments: [PropertyListDecoder.PropertyListFormat.xml, .binary])
  func `modes are declared and undeclared in the file's own form, and all else keeps its value and type`(
    format: PropertyListDecoder.PropertyListFormat
  ) throws {
    let place = try TestHome()
    let bundle = try Self.bundle(in: place, format)
    let before = try Self.values(of: bundle)

    var capabilities = try Capabilities(ofBundle: bundle)
    try capabilities.change(adding: [.fetch, .audio], removing: [])
    let added = try AppBundle(at: bundle).backgroundModes
    try capabilities.change(adding: [], removing: [.audio, .voip])
    let removed = try Self.values(of: bundle)
    try capabilities.change(adding: [], removing: [.fetch])

    #expect(added == [.audio, .fetch])
    #expect(removed.modes == .list([.text("fetch")]) && removed.rest == before.rest)
    #expect(try Self.values(of: bundle).modes == nil)
    #expect(try Self.values(of: bundle).format == format)
    #expect(
      before.rest["Real"] == .real(1.5) && before.rest["Whole"] == .integer(7) && before.rest["Yes"] == .boolean(true))
    #expect(Disk.names(in: bundle).sorted() == ["Info.plist", "Player"])
  }

  @Test func `a file is not touched where nothing changes`() throws {
    let place = try TestHome()
    let bundle = try Self.bundle(in: place, .xml)
    let before = Disk.bytes(of: bundle + "/Info.plist")

    var capabilities = try Capabilities(ofBundle: bundle)
    try capabilities.change(adding: [.audio], removing: [.voip])

    #expect(Disk.bytes(of: bundle + "/Info.plist") == before)
  }

  @Test func `every mode says what it allows, if anything`() {
    for mode in BackgroundMode.allCases {
      let isHeeded = mode == .fetch || mode == .processing
      #expect(mode.sentence.hasPrefix(isHeeded ? "It may be launched " : "It is kept as declared"))
    }
  }

  private static func bundle(
    in place: TestHome, _ format: PropertyListDecoder.PropertyListFormat
  ) throws -> String {
    let folder = try place.folder("Player.app")
    let root = try PropertyListDecoder().decode(PropertyListValue.self, from: Data(list.utf8))
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format == .binary ? .binary : .xml
    let data = format == .xml ? Data(list.utf8) : try encoder.encode(root)
    try data.write(to: URL(filePath: folder + "/Info.plist"))
    _ = try place.file("Player.app/Player", "#!/bin/sh\n", mode: 0o755)
    return folder
  }

  private static func values(
    of bundle: String
  ) throws -> (
    modes: PropertyListValue?, rest: [String: PropertyListValue], format: PropertyListDecoder.PropertyListFormat
  ) {
    var format = PropertyListDecoder.PropertyListFormat.xml
    let data = Data(try #require(Disk.bytes(of: bundle + "/Info.plist")))
    let root = try PropertyListDecoder().decode(PropertyListValue.self, from: data, format: &format)
    guard case .table(var table) = root else { throw PlatformError(.badBundle(key: nil), "no table") }
    return (table.removeValue(forKey: "UIBackgroundModes"), table, format)
  }
}
