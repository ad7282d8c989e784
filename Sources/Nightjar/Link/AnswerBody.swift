import Foundation
import NightjarWire

/// The body of an upload's answer, in a file of the app's own.
///
/// Its first part is read before the delegate is told of the answer, so that the head can say that the body is lost.
struct AnswerBody {
  /// The size in bytes.
  let length: Int64
  private let source: OwnedDescriptor
  private let first: Data

  /// Opens the file and reads the first part.
  init(of file: String) throws(FileTrouble) {
    source = try OwnedDescriptor(opening: file, O_RDONLY)
    length = Int64(try source.status().st_size)
    first = try Self.part(of: source, at: 0)
  }

  /// Passes the parts to `hear` in order. When this throws, the rest is lost.
  func tell(_ hear: (Data) -> Void) throws(FileTrouble) {
    var (part, done) = (first, 0)
    while !part.isEmpty {
      hear(part)
      done += part.count
      part = try Self.part(of: source, at: done)
    }
  }

  private static func part(of source: OwnedDescriptor, at place: Int) throws(FileTrouble) -> Data {
    var chunk = [UInt8](repeating: 0, count: LinkLimits.chunkBytes)
    let count = try source.read(into: &chunk, at: place)
    return Data(chunk[..<count])
  }
}

extension AppInterface.Ended {
  /// The end of an upload, with the body of its answer if there is one and it can be read.
  func withBody(in file: String?) -> (event: Self, body: AnswerBody?) {
    guard let file else { return (self, nil) }
    do throws(FileTrouble) { return (self, try AnswerBody(of: file)) } catch { return (withoutBody, nil) }
  }

  /// The same end, with a header field that says that the body is lost.
  var withoutBody: Self {
    var bare = self
    bare.file = nil
    bare.response?.headers.append(.init(name: "Warning", value: "199 nightjar \"the body of this answer is lost\""))
    return bare
  }
}
