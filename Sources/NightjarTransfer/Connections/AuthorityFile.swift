import NIOSSL

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A PEM file of certificate authorities that are trusted beside the system's: the setting `trusted.certificates`.
public struct AuthorityFile: Sendable {
  private let path: String

  /// The file at a path, which is not looked at yet.
  public init(at path: String) { self.path = path }

  /// Why it cannot serve just now, in words that begin with its path; nil if it can.
  public var fault: String? {
    do throws(Fault) {
      _ = try certificates()
      return nil
    } catch { return error.words }
  }

  /// Why the authorities cannot be had.
  struct Fault: Error {
    let words: String
  }

  /// The authorities; there is at least one.
  func certificates() throws(Fault) -> [NIOSSLCertificate] {
    guard path.hasPrefix("/") else { throw Fault(words: "\(path), which is no absolute path") }
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      throw Fault(words: "\(path), which cannot be read: \(String(cString: strerror(errno)).lowercased())")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(words: "\(path), which is no file") }
    do { return try NIOSSLCertificate.fromPEMFile(path) } catch {
      throw Fault(words: "\(path), which cannot be read as certificates in PEM")
    }
  }
}
