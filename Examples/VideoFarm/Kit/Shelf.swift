public import Foundation
import Synchronization

/// The app's Documents folder: the library and the files that it speaks of.
///
/// Every change is on the disk before the call that makes it returns, and replaces the earlier state in one step: a
/// crash or a power cut at any moment leaves the one or the other.
public final class Shelf: Sendable {
  /// The folder, usually Documents.
  public let folder: URL
  private let kept: Mutex<Library>

  /// Opens the library in `folder`, or begins one.
  ///
  /// - Throws: `ShelfError` when the library is there and cannot be read. It is not touched then.
  public init(folder: URL) throws(ShelfError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: Self.fileName)
      let isThere = FileManager.default.fileExists(atPath: file.path)
      let library = isThere ? try JSONDecoder().decode(Library.self, from: Data(contentsOf: file)) : Library()
      kept = Mutex(library)
    } catch {
      throw ShelfError(code: .unreadable, detail: "cannot read the library in \(folder.path): \(error)")
    }
  }

  /// What is remembered now.
  public var library: Library { kept.withLock { $0 } }

  /// Changes what is remembered, and returns once it is on the disk.
  ///
  /// - Throws: `ShelfError` when the disk refuses; then nothing has changed.
  @discardableResult
  public func change<Result: Sendable>(_ body: (inout Library) -> Result) throws(ShelfError) -> Result {
    try kept.withLock { library throws(ShelfError) in
      var changed = library
      let result = body(&changed)
      if changed != library { try Self.write(changed, to: folder) }
      library = changed
      return result
    }
  }

  /// Where the file of `job` belongs, whether it is there or not.
  public func place(of job: Job) -> URL { folder.appending(path: job.fileName) }

  private static let fileName = "library.json"

  private static func write(_ library: Library, to folder: URL) throws(ShelfError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Only strings and whole numbers are encoded here, and of these every value has a JSON form.
    try DurableFile(path: folder.appending(path: fileName).path).replace(with: try! encoder.encode(library))
  }
}

/// Why the app's own files could not be used.
public struct ShelfError: Error, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: Sendable {
    case unreadable  // The library is damaged or not ours to read.
    case unwritable  // The disk refused; try again when it has room.
  }

  /// What a program can act on.
  public let code: Code
  /// What was wrong, for a person.
  public let detail: String
  /// The detail.
  public var description: String { detail }
}
