import FoundationEssentials
import Glibc
import HTTPPreparation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The home screen as pages for a browser on this machine: apps, transfers and conditions of one daemon.
///
/// It listens on 127.0.0.1 only and stores nothing: it shows the daemon's state, and passes what is done on it to the
/// daemon. It survives crashes of the daemon.
public struct HomeScreen: Sendable {
  /// How to come in, to be shown to a person.
  public struct Entrance: Hashable, Sendable {
    /// The URL, which by itself admits no browser.
    public let address: String
    /// The path of a file that lets a browser in when opened. It contains the newest code, and only this user can read
    /// it.
    public let file: String
    /// The code to type at the address, valid once and for ten minutes.
    public let code: String
    /// Why there is a new code.
    public let occasion: Occasion
    /// Why the file could not be written and still has an earlier code; nil if it was written. It is retried with the
    /// next code.
    public let trouble: HomeError?

    /// Why there is a new code.
    public enum Occasion: Hashable, Sendable {
      /// Connections are accepted from now on.
      case opened
      /// The last code was used, or an invalid one was tried: a person needs the new one.
      case wanted
      /// The last code has expired. A person need not be told: trying any other code makes one more, which is `wanted`.
      case renewed
    }
  }

  private let socket: String
  private let icon: @Sendable (String) -> [UInt8]?
  private let now: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void
  private let entropy: @Sendable () -> UInt64

  /// How many connections are served at a time; others wait until one ends. Each uses at most one connection to the
  /// daemon, which allows 200 per process.
  var connectionsMax = 192
  /// How many of them may be streams of news; further requests for news are refused.
  var streamsMax = 64
  /// How long a connection may be idle before it is closed, and how long one without a token may last at all. A
  /// connection is not idle while an answer is being written, as a stream of news is.
  var silenceMax = Duration.seconds(15)

  /// - Parameters:
  ///   - socket: The daemon's. The file that lets browsers in is written beside it.
  ///   - icon: Reads the icon of the bundle at a path.
  ///   - now: A monotonic clock.
  ///   - pause: Waits before the next attempt to reach a daemon that is away, and while a code is valid.
  ///   - entropy: Unpredictable random bits, for codes and tokens.
  public init(
    socket: String, icon: @escaping @Sendable (_ bundle: String) -> [UInt8]?,
    now: @escaping @Sendable () -> Duration, pause: @escaping @Sendable (Duration) async throws -> Void,
    entropy: @escaping @Sendable () -> UInt64
  ) {
    (self.socket, self.icon) = (socket, icon)
    (self.now, self.pause, self.entropy) = (now, pause, entropy)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - port: The port of 127.0.0.1; 0 for any that is free.
  ///   - opened: Called with how to come in: once connections are accepted, and whenever the code changes.
  /// - Throws: ``HomeError`` if it cannot be served at all, or the file cannot be written at the start.
  public func run(port: Int, opened: @escaping @Sendable (Entrance) -> Void) async throws {
    let (failures, fail) = AsyncStream<HomeError>.makeStream()
    let folder = String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)])
    let hall = Hall(folder: folder, tell: opened) { fail.yield($0) }
    defer { hall.leave() }
    let reception = Reception(now: now, entropy: entropy) { hall.open($0, $1) }
    prepareForHTTP()
    let server = Application(
      router: routes(reception),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [Probation(TimeAmount(silenceMax)), Letterhead()],
          idleTimeout: TimeAmount(silenceMax))),
      configuration: .init(
        address: .hostname("127.0.0.1", port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(connectionsMax)),
      onServerRunning: { channel in hall.begin(port: channel.localAddress?.port ?? port, code: reception.code) },
      logger: Logger(label: "nightjar-home") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { [pause] in _ = try? await reception.renewCodes(pause) }
        group.addTask { for await failure in failures { throw failure } }
        group.addTask { try await server.run() }
        defer { group.cancelAll() }
        _ = try await group.next()
      }
    } catch let error as IOError {
      let reason = String(cString: strerror(error.errnoCode))
      throw HomeError(
        .portTaken, "Port \(port) of 127.0.0.1 cannot be had: \(reason). Name another, or none for one that is free.")
    }
  }

  private static let bodyBytesMax = 1 << 20
  private static let codeBytesMax = 256  // The sender is still unknown.

  private func routes(_ reception: Reception) -> Router<HomeContext> {
    let router = Router(context: HomeContext.self)
    router.add(middleware: Gatekeeper())
    for asset in Asset.all {
      router.get(RouterPath(asset.path)) { request, _ in asset.response(to: request) }
      router.head(RouterPath(asset.path)) { request, _ in asset.response(to: request).createHeadResponse() }
    }
    router.get("view") { [entropy] _, _ in ViewFrame.response(nonce: String(entropy(), radix: 36)) }
    router.post("enter") { request, _ in try await Self.enter(request, reception) }
    let inside = router.group().add(middleware: Inside(reception: reception))
    let (mirror, icons) = (Mirror(socket: socket), Icons(socket: socket, read: icon))
    let news = News(socket: socket, pause: pause, audience: Audience(max: streamsMax))
    inside.get("events") { request, _ in try news.response(to: request) }
    inside.get("icons/:app") { _, context in try await icons.response(for: context.parameters.require("app")) }
    inside.post("api/:method") { request, context in
      try await mirror.call(context.parameters.require("method"), Self.body(of: request))
    }
    return router
  }

  /// The methods that a path takes; none if nothing is there.
  static func methods(at path: String) -> [HTTPRequest.Method] {
    switch path {
    case "/enter": [.post]
    case "/view", "/events": [.get]
    case _ where path.hasPrefix("/api/"): [.post]
    case _ where path.hasPrefix("/icons/"): [.get]
    default: Asset.all.contains { $0.path == path } ? [.get, .head] : []
    }
  }

  private static func enter(_ request: Request, _ reception: Reception) async throws -> Response {
    struct Code: Decodable { var code: String }
    struct Token: Encodable { var token: String }
    let body = try await body(of: request, bytesMax: codeBytesMax)
    guard let brought = try? JSONDecoder().decode(Code.self, from: Data(body.readableBytesView)) else {
      throw Refusal(.badRequest, "badParameters", "Bring the code as {\"code\": \"…\"}.")
    }
    return .json(Token(token: try reception.exchange(brought.code)))
  }

  private static func body(of request: Request, bytesMax: Int = bodyBytesMax) async throws -> ByteBuffer {
    do { return try await request.body.collect(upTo: bytesMax) } catch is NIOTooManyBytesError {
      throw Refusal(.contentTooLarge, "tooLarge", "This request has at most \(bytesMax) bytes.")
    }
  }
}

/// Lets only requests with a token through.
private struct Inside: RouterMiddleware {
  let reception: Reception

  func handle(
    _ request: Request, context: HomeContext, next: @concurrent (Request, HomeContext) async throws -> Response
  ) async throws -> Response {
    guard reception.admits(request.headers[.authorization]) else {
      throw Refusal(.unauthorized, "noToken", "This browser has not been let in, or the home screen was started anew.")
    }
    context.channel.triggerUserOutboundEvent(Probation.Passed(), promise: nil)
    return try await next(request, context)
  }
}

/// Writes and reports each invitation, and removes the last one at the end.
private final class Hall: Sendable {
  private let folder: String
  private let tell: @Sendable (HomeScreen.Entrance) -> Void
  private let fail: @Sendable (HomeError) -> Void
  private let invitation = Mutex<Invitation?>(nil)

  /// - Parameter fail: Called if the first invitation cannot be written.
  init(
    folder: String, tell: @escaping @Sendable (HomeScreen.Entrance) -> Void,
    fail: @escaping @Sendable (HomeError) -> Void
  ) {
    (self.folder, self.tell, self.fail) = (folder, tell, fail)
  }

  func begin(port: Int, code: String) {
    let invitation = Invitation(path: "\(folder)/home-\(port).html", address: "http://127.0.0.1:\(port)/")
    self.invitation.withLock { $0 = invitation }
    Invitation.sweep(folder)
    open(code, .opened)
  }

  func open(_ code: String, _ occasion: HomeScreen.Entrance.Occasion) {
    guard let invitation = invitation.withLock({ $0 }) else { return }
    var trouble: HomeError?
    do throws(HomeError) { try invitation.write(code) } catch { trouble = error }
    if let trouble, occasion == .opened { return fail(trouble) }
    tell(
      .init(address: invitation.address, file: invitation.path, code: code, occasion: occasion, trouble: trouble))
  }

  func leave() { invitation.withLock { $0 }?.remove() }
}
