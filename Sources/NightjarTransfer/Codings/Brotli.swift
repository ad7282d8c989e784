import NIOCore

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Undoes `br` (RFC 7932) with the machine's own libbrotlidec, if it has one: few ask for this coding, so the library
/// is no dependency.
final class Brotli: Decoding {
  private let state: OpaquePointer
  private let library: Library
  private(set) var isComplete = false

  /// Nil where there is no such library.
  init?() {
    guard let library = Library.shared, let state = library.create(nil, nil, nil) else { return nil }
    (self.library, self.state) = (library, state)
  }

  deinit { library.destroy(state) }

  func decode(_ input: inout ByteBuffer, into piece: inout ByteBuffer, atMost limit: Int) throws(DecodingError) {
    guard !isComplete else { return input.moveReaderIndex(forwardBy: input.readableBytes) }
    var result: Int32 = 0
    var left = limit
    piece.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { room in
      var out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      input.readWithUnsafeReadableBytes { bytes in
        var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var available = bytes.count
        result = library.decompress(state, &available, &next, &left, &out, nil)
        return bytes.count - available
      }
      return limit - left
    }
    switch result {
    case 1: isComplete = true
    case 2, 3: break  // It needs more input, or more room.
    default: throw DecodingError(detail: "Brotli's error \(library.code(state))")
    }
  }

  /// The functions of libbrotlidec's stable interface that are needed.
  private struct Library: Sendable {
    typealias Create =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
      ) -> OpaquePointer?
    typealias Destroy = @convention(c) (OpaquePointer) -> Void
    typealias Decompress =
      @convention(c) (
        OpaquePointer, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>,
        UnsafeMutablePointer<Int>,
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>?
      ) -> Int32
    typealias Code = @convention(c) (OpaquePointer) -> Int32

    let create: Create
    let destroy: Destroy
    let decompress: Decompress
    let code: Code

    static let shared = Library()

    private init?() {
      guard let handle = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL),
        let create = dlsym(handle, "BrotliDecoderCreateInstance"),
        let destroy = dlsym(handle, "BrotliDecoderDestroyInstance"),
        let decompress = dlsym(handle, "BrotliDecoderDecompressStream"),
        let code = dlsym(handle, "BrotliDecoderGetErrorCode")
      else { return nil }
      self.create = unsafeBitCast(create, to: Create.self)
      self.destroy = unsafeBitCast(destroy, to: Destroy.self)
      self.decompress = unsafeBitCast(decompress, to: Decompress.self)
      self.code = unsafeBitCast(code, to: Code.self)
    }
  }
}
