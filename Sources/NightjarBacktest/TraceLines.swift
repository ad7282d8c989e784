/// Cuts bytes into lines. A line that is too long is reported once and never kept whole.
struct TraceLines {
  /// The longest line that is read.
  static let bytesMax = 4096

  /// The number of the line that was given last; the first is 1.
  private(set) var number = 0
  private var pending: [UInt8] = []
  private var isTooLong = false

  /// One line: its bytes without the line's end; nil where it was too long.
  typealias Reader = (_ line: UnsafeRawBufferPointer?, _ number: Int) throws(TraceError) -> Void

  /// Takes the next bytes, and gives every line that has ended.
  mutating func take(_ bytes: UnsafeRawBufferPointer, _ reader: Reader) throws(TraceError) {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
      if pending.isEmpty, !isTooLong, piece.count <= Self.bytesMax {
        try give(piece, reader)
      } else {
        keep(piece)
        try finish(reader)
      }
    }
    keep(rest)
  }

  /// Gives the last line, if it did not end in a line break.
  mutating func end(_ reader: Reader) throws(TraceError) {
    if !pending.isEmpty || isTooLong { try finish(reader) }
  }

  private mutating func keep(_ piece: UnsafeRawBufferPointer) {
    guard !isTooLong else { return }
    isTooLong = pending.count + piece.count > Self.bytesMax
    if isTooLong { pending.removeAll() } else { pending.append(contentsOf: piece) }
  }

  private mutating func finish(_ reader: Reader) throws(TraceError) {
    let line = pending
    let wasTooLong = isTooLong
    pending.removeAll(keepingCapacity: true)
    isTooLong = false
    guard !wasTooLong else {
      number += 1
      return try reader(nil, number)
    }
    let result: Result<Void, TraceError> = line.withUnsafeBytes { bytes in
      Result { () throws(TraceError) in try give(bytes, reader) }
    }
    try result.get()
  }

  private mutating func give(_ line: UnsafeRawBufferPointer, _ reader: Reader) throws(TraceError) {
    number += 1
    let hasReturn = line.last == UInt8(ascii: "\r")
    try reader(UnsafeRawBufferPointer(rebasing: line[..<(line.count - (hasReturn ? 1 : 0))]), number)
  }
}
