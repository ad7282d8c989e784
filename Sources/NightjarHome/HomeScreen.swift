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
/// It listens on 127.0.0.1 only, and keeps nothing: what it shows is the daemon's, and what is done on it is asked of the
/// daemon. It outlives the daemon's crashes.
public struct HomeScreen: Sendable {
  /// How to come in, as it is to be told to a person.
  public struct Entrance: Hashable, Sendable {
    /// The URL, which lets nobody in by itself.
    public let address: String
    /// The path of a file that only this user can read, and that lets its reader's browser in: it holds the newest code.
    public let file: String
    /// What lets a browser in that is at the address already, once and within ten minutes.
    public let code: String
    /// Why it is told.
    public let occasion: Occasion
    /// Why the file does not hold this code but an earlier one, if so; it is tried again with the next code.
    public let trouble: HomeError?

    /// Why there is a new code.
    public enum Occasion: Hashable, Sendable {
      /// Connections are taken from now on.
      case opened
      /// Somebody has used the code before, or has tried one that is not good: a person is to be told.
      case wanted
      /// The code before has become too old. No person need be told: whoever tries another code makes one more, which is
      /// `wanted`.
      case renewed
    }
  }

  private let socket: String
  private let icon: @Sendable (String) -> [UInt8]?
  private let now: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void
  private let entropy: @Sendable () -> UInt64

  /// How many connections are served at a time; others wait for one of them to end. Each has at most one to the daemon, which
  /// has 200 for one process.
  var connectionsMax = 192
  /// On how many of them news may be told; a page that asks for more is refused.
  var streamsMax = 64
  /// How long a connection may be without a request before it is closed, and how long one may last on which nobody has
  /// shown a token, whatever is said on it. One on which an answer is still being written, as that of news is, counts as
  /// having a request.
  var silenceMax = Duration.seconds(15)

  /// - Parameters:
  ///   - socket: The daemon's. The file that lets browsers in is written beside it.
  ///   - icon: Reads the icon of the bundle at a path.
  ///   - now: Time since some moment, which never goes back.
  ///   - pause: Waits before a daemon that is away is looked for again, and while a code is good.
  ///   - entropy: Random bits that nobody can foresee, for codes and tokens.
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
  ///   - opened: Hears how to come in: once connections are taken, and whenever the code has changed.
  /// - Throws: ``HomeError`` if it cannot be served at all, or the file cannot be written to begin with.
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
          additionalChannelHandlers: [Probation(TimeAmount(silenceMax))], idleTimeout: TimeAmount(silenceMax))),
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
  private static let codeBytesMax = 256  // Of whom nobody knows.

  private func routes(_ reception: Reception) -> Router<HomeContext> {
    let router = Router(context: HomeContext.self)
    router.add(middleware: Gatekeeper())
    for asset in Asset.all {
      router.get(RouterPath(asset.path)) { request, _ in asset.response(to: request) }
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

/// Only who has a token goes further.
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

/// Where invitations lie: tells each, and takes the last one away at the end.
private final class Hall: Sendable {
  private let folder: String
  private let tell: @Sendable (HomeScreen.Entrance) -> Void
  private let fail: @Sendable (HomeError) -> Void
  private let invitation = Mutex<Invitation?>(nil)

  /// - Parameter fail: Hears why nobody can be invited to begin with.
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
