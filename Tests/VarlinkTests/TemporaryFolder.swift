import FoundationEssentials
import Glibc

@testable import Varlink

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/varlink-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TransportError.system("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
