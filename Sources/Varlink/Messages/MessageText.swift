/// JSON text that is written piece by piece, directly into the bytes of a message.
///
/// Containers are used as Swift's encoders use them, innermost first: writing to one closes those inside of it.
final class MessageText {
  /// An open container: how deep it lies, and which one it is.
  struct Place {
    let depth: Int
    let number: Int
  }

  private struct Open {
    let end: UInt8
    let number: Int
    var count = 0
  }

  private(set) var bytes: [UInt8] = []
  /// Whether something was requested that this cannot write, so that the text is of no use.
  var isBeyond = false
  private var open: [Open] = []
  private var opened = 0

  init(reserving count: Int) { bytes.reserveCapacity(count) }

  /// How many containers are open.
  var depth: Int { open.count }

  func openObject() -> Place { begin(UInt8(ascii: "{"), UInt8(ascii: "}")) }
  func openArray() -> Place { begin(UInt8(ascii: "["), UInt8(ascii: "]")) }

  /// The container that is open at a depth.
  func place(at depth: Int) -> Place { Place(depth: depth, number: open[depth - 1].number) }

  /// How many members or elements a container has so far; 0 once it is closed.
  func count(in place: Place) -> Int {
    let index = place.depth - 1
    return index < open.count && open[index].number == place.number ? open[index].count : 0
  }

  private func begin(_ start: UInt8, _ end: UInt8) -> Place {
    bytes.append(start)
    opened += 1
    open.append(Open(end: end, number: opened))
    return Place(depth: open.count, number: opened)
  }

  /// Closes containers until this many are open.
  func close(to depth: Int) {
    while open.count > depth { bytes.append(open.removeLast().end) }
  }

  /// Begins the next member of a container. One that was closed already takes no more.
  func next(in place: Place) {
    let index = place.depth - 1
    guard index < open.count, open[index].number == place.number else { return isBeyond = true }
    close(to: place.depth)
    if open[index].count > 0 { bytes.append(UInt8(ascii: ",")) }
    open[index].count += 1
  }

  func next(_ key: String, in place: Place) {
    next(in: place)
    write(key)
    bytes.append(UInt8(ascii: ":"))
  }

  func writeEmpty() { bytes.append(contentsOf: "{}".utf8) }

  func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { write(escaping: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes text with escapes; runs of bytes that need none are copied.
  private func write(escaping text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in text.indices where Self.isSpecial(text[index]) {
      bytes.append(contentsOf: text[start..<index])
      escape(text[index])
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      bytes.append((byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + byte & 15)
    default: bytes.append(byte)
    }
  }

  func write(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }

  func writeNull() { bytes.append(contentsOf: "null".utf8) }

  func write(_ number: some FixedWidthInteger) {
    guard let small = UInt64(exactly: number) else { return bytes.append(contentsOf: String(number).utf8) }
    write(small)
  }

  private func write(_ number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
      var (rest, start) = (number, room.count)
      repeat {
        start -= 1
        room[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: room[start...])
    }
  }

  /// Writes a number. JSON has none that are not finite.
  func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
    guard number.isFinite else { return isBeyond = true }
    let text = number.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }
}
