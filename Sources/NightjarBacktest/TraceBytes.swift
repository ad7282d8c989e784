import CNightjarZlib
import Glibc

/// The bytes of a trace, piece by piece; gzip (RFC 1952) is unpacked, whatever the file's name.
///
/// Never more than one piece is in memory.
struct TraceBytes: ~Copyable {
  /// How many bytes are read, and how many unpacked, at a time.
  static let pieceSize = 1 << 18

  private let path: String
  private let descriptor: Int32
  private var unpacking: Unpacking?
  private var isBegun = false
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)

  /// Opens a file, or standard input where the path is `-`.
  init(path: String) throws(TraceError) {
    self.path = Traces.title(of: path)
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.trouble("cannot be opened", self.path) }
  }

  deinit {
    close(descriptor)
    input.deallocate()
  }

  /// Hands on the next bytes; false once there are none left.
  ///
  /// - Throws: `TraceError` of `damaged` if gzip's data is cut or wrong; then what was handed on before cannot be
  ///   relied on.
  mutating func next(_ body: (UnsafeRawBufferPointer) throws(TraceError) -> Void) throws(TraceError) -> Bool {
    if unpacking != nil { return try nextUnpacked(body) }
    var count = try fill()
    if !isBegun {
      isBegun = true
      if count == 1 { count += try fill(after: count) }  // Of a pipe; what it is is told by two bytes.
      if count >= 2, input[0] == 0x1f, input[1] == 0x8b {
        unpacking = Unpacking(path: path)
        unpacking!.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
        return true
      }
    }
    try body(UnsafeRawBufferPointer(rebasing: input[..<count]))
    return count > 0
  }

  private mutating func nextUnpacked(
    _ body: (UnsafeRawBufferPointer) throws(TraceError) -> Void
  ) throws(TraceError) -> Bool {
    while true {
      if let unpacked = try unpacking!.step() {
        try body(unpacked)
        return true
      }
      let more = try fill()
      guard more > 0 else {
        try unpacking!.finish()
        return false
      }
      unpacking!.feed(UnsafeRawBufferPointer(rebasing: input[..<more]))
    }
  }

  /// Reads what there is, behind the first bytes of a piece.
  private mutating func fill(after kept: Int = 0) throws(TraceError) -> Int {
    while true {
      let count = read(descriptor, input.baseAddress! + kept, Self.pieceSize - kept)
      if count >= 0 { return count }
      guard errno == EINTR else { throw Self.trouble("cannot be read", path) }
    }
  }

  private static func trouble(_ what: String, _ path: String) -> TraceError {
    TraceError(.unreadable, "\(path) \(what): \(String(cString: strerror(errno)))")
  }
}

/// The state of unpacking: one member of a gzip file after the other.
private struct Unpacking: ~Copyable {
  private let path: String
  private let stream: UnsafeMutablePointer<z_stream>
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: TraceBytes.pieceSize, alignment: 16)
  /// What was fed and is not unpacked yet. It belongs to the feeder, and is valid until the next bytes are fed.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether a member has ended, and none after it has begun.
  private var isBetween = false

  init(path: String) {
    self.path = path
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = nightjar_inflate_begin(stream, 15 + 16)
    precondition(status == Z_OK, "zlib has no memory: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  mutating func feed(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  /// Unpacks some of what was fed; nil means that more has to be fed.
  mutating func step() throws(TraceError) -> UnsafeRawBufferPointer? {
    while !rest.isEmpty {
      if isBetween { try begin() }
      guard !rest.isEmpty else { break }
      let count = try inflateOnce()
      if count > 0 { return UnsafeRawBufferPointer(rebasing: output[..<count]) }
    }
    return nil
  }

  /// Between members only padding may stand, as gzip(1) has it.
  private mutating func begin() throws(TraceError) {
    rest = UnsafeRawBufferPointer(rebasing: rest.drop { $0 == 0 })
    guard let first = rest.first else { return }
    guard first == 0x1f else {
      throw TraceError(.damaged, "\(path) is damaged: what follows its gzip data is none, so nothing was replayed")
    }
    guard inflateReset(stream) == Z_OK else { throw damaged }
    isBetween = false
  }

  private mutating func inflateOnce() throws(TraceError) -> Int {
    stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(rest.count)
    stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    let status = inflate(stream, Z_NO_FLUSH)
    rest = UnsafeRawBufferPointer(rebasing: rest[(rest.count - Int(stream.pointee.avail_in))...])
    isBetween = status == Z_STREAM_END
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw damaged }
    return output.count - Int(stream.pointee.avail_out)
  }

  /// - Throws: `TraceError` if the data ended in the middle of a member.
  func finish() throws(TraceError) {
    guard isBetween else {
      throw TraceError(.damaged, "\(path) is cut: its gzip data ends before its end, so nothing was replayed")
    }
  }

  private var damaged: TraceError {
    TraceError(.damaged, "\(path) is damaged: its gzip data cannot be unpacked, so nothing was replayed")
  }
}
