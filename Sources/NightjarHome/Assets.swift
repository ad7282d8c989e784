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

  static let all = documents + modules.map { Asset("/\($0.name).js", "text/javascript", $0.bytes) }

  private static let documents = [
    Asset("/", "text/html", PackageResources.home_html),
    Asset("/home.css", "text/css", PackageResources.home_css),
  ]

  /// The modules of the page's script. The document runs `home`, which leads to the others.
  private static let modules: [(name: String, bytes: [UInt8])] = [
    ("home", PackageResources.home_js),
    ("about", PackageResources.about_js),
    ("banners", PackageResources.banners_js),
    ("bar", PackageResources.bar_js),
    ("clock", PackageResources.clock_js),
    ("conditions", PackageResources.conditions_js),
    ("day", PackageResources.day_js),
    ("dialogs", PackageResources.dialogs_js),
    ("door", PackageResources.door_js),
    ("drawing", PackageResources.drawing_js),
    ("elements", PackageResources.elements_js),
    ("facts", PackageResources.facts_js),
    ("fetches", PackageResources.fetches_js),
    ("fetching", PackageResources.fetching_js),
    ("fetchnow", PackageResources.fetchnow_js),
    ("icons", PackageResources.icons_js),
    ("known", PackageResources.known_js),
    ("learning", PackageResources.learning_js),
    ("lists", PackageResources.lists_js),
    ("news", PackageResources.news_js),
    ("notices", PackageResources.notices_js),
    ("outcomes", PackageResources.outcomes_js),
    ("pictures", PackageResources.pictures_js),
    ("plots", PackageResources.plots_js),
    ("refreshes", PackageResources.refreshes_js),
    ("screen", PackageResources.screen_js),
    ("server", PackageResources.server_js),
    ("settings", PackageResources.settings_js),
    ("speeds", PackageResources.speeds_js),
    ("stage", PackageResources.stage_js),
    ("switcher", PackageResources.switcher_js),
    ("switches", PackageResources.switches_js),
    ("timeline", PackageResources.timeline_js),
    ("transfers", PackageResources.transfers_js),
    ("views", PackageResources.views_js),
    ("words", PackageResources.words_js),
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
