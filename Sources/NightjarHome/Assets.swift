import HTTPTypes
import Hummingbird

/// The page's files. They are part of the program, contain no user data, and are served without a token.
struct Asset: Sendable {
  let path: String
  let type: String
  let bytes: [UInt8]
  /// The `ETag`, a hash of the bytes: FNV-1a, since it need not resist attacks here.
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

  /// Only our own scripts run beside the data of apps, and nothing is fetched from other sites.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; \
    frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'
    """

  /// The file, or 304 for a browser that has it (RFC 9110, 13.1.2).
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

/// The document that shows an app's view: our own script draws what it is given, and nothing else runs.
enum ViewFrame {
  /// Allows the document to draw and to run the script with this nonce, nothing else. It has an opaque origin even when
  /// it is opened by itself.
  static func policy(nonce: String) -> String {
    """
    default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; \
    script-src 'nonce-\(nonce)'; frame-ancestors 'self'; sandbox allow-scripts
    """
  }

  /// The document with a fresh nonce.
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
