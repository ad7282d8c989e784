import Foundation
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct BinaryPropertyListTests {
  /// A list of these objects, the first of which is the whole; offsets and references are of one byte each.
  private static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [UInt8](repeating: 0, count: 7) + [UInt8(objects.count)]
    return bytes + [UInt8](repeating: 0, count: 15) + [table]
  }

  private static func encoded(_ value: some Encodable) throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try [UInt8](encoder.encode(value))
  }

  private struct Everything: Codable {
    var text = "é", long = String(repeating: "a", count: 70_000)
    var numbers = [0, -1, 1 << 40, Int.max], fraction = 0.5, truth = true
    var date = Date(timeIntervalSince1970: 1), bytes = Data([1, 2, 3]), table = ["a": ["b": ["c"]]]
  }

  @Test func `what Foundation writes is sound`() throws {
    #expect(BinaryPropertyList.isSound(try Self.encoded(Everything())))
    #expect(BinaryPropertyList.isSound(try Self.encoded((0..<5000).map { "\($0)" })))
  }

  @Test(
    arguments: [
      ("an object of no known kind", [[0x70]]), ("an integer that is cut off", [[0x13, 1]]),
      ("a string that is longer than all", [[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
      ("an array with more than there is", [[0xAF, 0x11, 0xFF, 0xFF]]), ("one that is in itself", [[0xA1, 0]]),
      ("two that are in one another", [[0xA1, 1], [0xA1, 0]]), ("an object that is not there", [[0xA1, 9]]),
      ("a key that is no string", [[0xD1, 1, 1], [0x09]]), ("a string of UTF-16 that is cut off", [[0x62, 0, 65]]),
    ] as [(String, [[UInt8]])])
  func `a list that is not sound is refused`(what: String, objects: [[UInt8]]) {
    #expect(!BinaryPropertyList.isSound(Self.list(objects)))
  }

  @Test func `a list within lists is read to 32 levels, and no deeper`() {
    func nested(_ levels: UInt8) -> [UInt8] { Self.list((1..<levels).map { [0xA1, $0] } + [[0xA0]]) }

    #expect(BinaryPropertyList.isSound(nested(32)))
    #expect(!BinaryPropertyList.isSound(nested(33)))
  }

  @Test func `a list that doubles at every level is refused before it is read`() {
    #expect(!BinaryPropertyList.isSound(Self.list((1...30).map { [0xA2, $0, $0] } + [[0x09]])))
  }

  @Test func `a list whose offset table is not where it says is refused`() {
    let sound = Self.list([[0xA1, 1], [0x51, 65]])
    #expect(BinaryPropertyList.isSound(sound))

    for place in (sound.count - 26)..<sound.count {
      var list = sound
      list[place] = list[place] &+ 0x81
      #expect(!BinaryPropertyList.isSound(list), "with byte \(place) changed")
    }
  }

  /// Foundation's reader ended the process with lists of which a few bytes were changed.
  @Test func `an Info plist of which any byte is changed is read or refused`() throws {
    let whole = try Self.encoded(
      ["CFBundleIdentifier": "dev.example.A", "CFBundleExecutable": "A", "CFBundleName": "Zoë"])

    for place in whole.indices {
      for change in UInt8(1)...255 {
        var list = whole
        list[place] ^= change
        _ = try? BundleInfo(list, at: "Info.plist")
      }
    }
  }

  @Test func `a damaged Info plist is refused in words`() throws {
    let error = #expect(throws: PlatformError.self) { try BundleInfo(Self.list([[0xA1, 9]]), at: "/a/Info.plist") }

    #expect(error?.detail.hasPrefix("/a/Info.plist is a damaged binary property list") == true)
  }
}
