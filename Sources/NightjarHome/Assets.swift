import HTTPTypes
import Hummingbird

/// The page's files. They are part of the program, hold nothing of anybody's, and are given to everyone who asks.
struct Asset: Sendable {
  let path: String
  let type: String
  let bytes: [UInt8]
  /// Changes with the bytes: FNV-1a, which need not be proof against malice here.
  let tag: String

  init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, "\(type); charset=utf-8", bytes)
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  static let all = [
    Asset("/", "text/html", PackageResources.home_html),
    Asset("/home.css", "text/css", PackageResources.home_css),
    Asset("/fetches.js", "text/javascript", PackageResources.fetches_js),
    Asset("/home.js", "text/javascript", PackageResources.home_js),
  ]

  /// Data of apps meets no script here but ours, and nothing is fetched from anywhere else.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; \
    frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'
    """

  /// The file, or 304 to who has it (RFC 9110, 13.1.2).
  func response(to request: Request) -> Response {
    let headers: HTTPFields = [
      .contentType: type, .eTag: tag, .cacheControl: "no-cache", .contentSecurityPolicy: Self.policy,
    ]
    let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
    if known.contains(where: { $0.drop { $0 == " " } == tag }) {
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// The document that an app's view is shown in: a script of ours that draws what it is handed, and nothing else runs.
enum ViewFrame {
  /// What the document may do: draw, run the script of this nonce, and nothing else. It is an origin of its own even when
  /// it is opened by itself.
  static func policy(nonce: String) -> String {
    """
    default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; \
    script-src 'nonce-\(nonce)'; frame-ancestors 'self'; sandbox allow-scripts
    """
  }

  /// The document under a nonce that nobody knew before.
  static func response(nonce: String) -> Response {
    let text = String(decoding: PackageResources.view_html, as: UTF8.self).replacing("NONCE", with: nonce)
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: policy(nonce: nonce),
      ], body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}
