/// Where a download's bytes have come from: host and path of the URL that has answered, once all redirects were
/// followed.
///
/// A validator tells the versions of one resource apart (RFC 9110, section 8.8.1), not two resources: servers that make
/// it of a file's time and length give any two files the same that have both in common, and a redirect may lead to the
/// other one. So the rest is taken only from where the beginning is from, as far as URLs tell:
///
/// - from the same path. Another query is a new signature, another host one that serves the same tree;
/// - from another host under the same file name. Mirrors have different folders, and keep the names of files.
///
/// The same name in another folder of one host is another file: `v1/app.tar` and `v2/app.tar`.
public struct Provenance: Hashable, Sendable {
  /// Host and path in one, as in `files.example/v1/app.tar`. The query is left out: it may hold secrets.
  public let text: String

  /// A provenance as it was saved.
  public init(text: String) { self.text = text }

  /// That of a URL's host, in lower case, and its path.
  package init(host: String, path: String) { text = host + path }

  /// That of an absolute URL; nil for what is none.
  package init?(url: String) {
    guard let authority = Authority(of: url), let start = url.authority?.upperBound else { return nil }
    let end = url.utf8[start...].firstIndex { "?#".utf8.contains($0) } ?? url.endIndex
    self.init(host: authority.address.lowercased(), path: start < end ? String(url[start..<end]) : "/")
  }

  private var pathStart: String.Index { text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex }
  private var host: Substring { text[..<pathStart] }
  private var path: Substring { text[pathStart...] }
  private var name: Substring { path.split(ascii: "/", omittingEmptySubsequences: false).last ?? "" }

  /// Whether what has the same validator and length there is the same file.
  package func isOfSameFile(as other: Provenance) -> Bool {
    path == other.path || host != other.host && !name.isEmpty && name == other.name
  }
}

extension ResumePoint {
  /// Whether its bytes are not of the file that has answered. Those of unknown provenance are taken to be.
  func isElsewhere(than answer: Provenance?) -> Bool {
    guard let provenance, let answer else { return false }
    return !provenance.isOfSameFile(as: answer)
  }
}
