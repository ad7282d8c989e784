import Foundation
import NightjarWire

/// The body of an upload's answer, in a file of the app's own.
///
/// Its first part is read before anything is told of it, so that an answer whose body cannot be had says so in its head.
struct AnswerBody {
  /// How many bytes it has.
  let length: Int64
  private let source: OwnedDescriptor
  private let first: Data

  /// Opens it.
  init(of file: String) throws(FileTrouble) {
    source = try OwnedDescriptor(opening: file, O_RDONLY)
    length = Int64(try source.status().st_size)
    first = try Self.part(of: source, at: 0)
  }

  /// Hands out its parts in order. When this throws, the rest is lost.
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
  /// The end of an upload, with its answer's body if there is one and it can be had.
  func withBody(in file: String?) -> (event: Self, body: AnswerBody?) {
    guard let file else { return (self, nil) }
    do throws(FileTrouble) { return (self, try AnswerBody(of: file)) } catch { return (withoutBody, nil) }
  }

  /// The same end, whose answer says that its body is lost.
  var withoutBody: Self {
    var bare = self
    bare.file = nil
    bare.response?.headers.append(.init(name: "Warning", value: "199 nightjar \"the body of this answer is lost\""))
    return bare
  }
}
