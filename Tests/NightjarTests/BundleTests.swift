import Foundation
import Testing

@testable import Nightjar

/// What an app reads of its own bundle.
@Suite struct BundleTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  @Test func `an app whose bundle was moved while it came up reads what that says`() throws {
    let former = folder + "/former/App.app"
    try FileManager.default.createDirectory(atPath: former, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in [("Life", ""), ("Info.plist", "<plist version='1.0'><dict>\(Self.entry)</dict></plist>")] {
      try text.write(toFile: "\(former)/\(name)", atomically: false, encoding: .utf8)
    }

    let bundle = Bundle.own(begunAt: folder + "/app/App.app/Life", liesAt: former + "/Life")

    #expect(bundle?.object(forInfoDictionaryKey: "CFBundleVersion") as? String == "7")
  }

  @Test func `an app whose bundle is gone reads nothing and lives on`() {
    let path = folder + "/app/App.app/Life"

    let bundle = Bundle.own(begunAt: path, liesAt: path + " (deleted)")

    #expect(bundle == nil)
  }

  @Test func `an app whose bundle lies where it began has Foundation's`() {
    #expect(Bundle.own === Bundle.main)
  }

  private static let entry = "<key>CFBundleVersion</key><string>7</string>"
}
