import FoundationEssentials
import NightjarModel

/// The name that a download gets from its URL: one plain name within one folder, whatever the URL says.
struct FileName: Hashable, Sendable {
  let text: String

  private static let bytesMax = 200  // File systems take 255; there has to be room for a suffix.

  /// The last part of the URL's path, decoded. Slashes, control characters and a leading dot or hyphen become `_`; if
  /// nothing is left, the name is `download`. Nil if the text is no URL.
  init?(url: String) {
    guard URLComponents(string: url) != nil else { return nil }
    let path = url.utf8[(url.authority?.upperBound ?? url.startIndex)...].prefix { !"?#".utf8.contains($0) }
    let last = Substring(path).split(ascii: "/").last.map(String.init) ?? ""
    self.init(untrusted: String(validating: last.percentDecoded, as: UTF8.self) ?? last)
  }

  private init(untrusted name: String) {
    guard !["", ".", ".."].contains(name) else {
      text = "download"
      return
    }
    var safe = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "/" || $0.isActedOn ? "_" : $0 }))
    if let first = safe.unicodeScalars.first, first == "." || first == "-" {
      safe = "_" + String(safe.unicodeScalars.dropFirst())
    }
    text = Self.cut(safe)
  }

  /// Cuts a name that is too long, and keeps a short extension. One character alone may be too long, so it cuts by
  /// scalars.
  private static func cut(_ name: String) -> String {
    guard name.utf8.count > bytesMax else { return name }
    let scalars = name.unicodeScalars
    let dot = scalars.lastIndex(of: ".")
    let tail = dot.map { String(scalars[$0...]) }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
    var room = bytesMax - tail.utf8.count
    let head = scalars.prefix { scalar in
      room -= UTF8.width(scalar)
      return room >= 0
    }
    return String(head) + tail
  }
}
