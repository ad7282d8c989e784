import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarWire

extension TransferRequest {
  /// The URL without the name and password that it may carry.
  fileprivate var shownURL: String { url.withoutCredentials }

  /// The options without the names and passwords that proxies may carry.
  fileprivate var shownOptions: WireOptions? {
    var options = options
    options.proxies = options.proxies.map { proxies in
      let (http, https) = (proxies.http?.withoutCredentials, proxies.https?.withoutCredentials)
      return Proxies(http: http, https: https, exceptions: proxies.exceptions)
    }
    return WireOptions(options)
  }
}

extension TransferView {
  /// A task as its own app sees it.
  var task: AppInterface.Task {
    AppInterface.Task(
      request, isSuspended: state == .suspended, isEnded: isOver, count: count, expected: expected, response: response)
  }

  /// Whether its file was delivered from the staging area to its destination.
  private var isDelivered: Bool { request.destination != nil && state == .succeeded }

  /// The file with the body of the server's answer to an upload, if there is one.
  private var answer: String? { request.sourcePath != nil ? file.flatMap { $0.stamp.size > 0 ? $0.path : nil } : nil }

  /// A transfer as people and scripts see it; no header field is shown.
  var message: ControlInterface.Transfer {
    ControlInterface.Transfer(
      id: id.rawValue, app: request.app.rawValue, session: request.session,
      task: request.session == nil ? nil : Int64(request.task), direction: request.wireDirection, url: request.shownURL,
      label: request.label, state: ControlInterface.Transfer.State(rawValue: state.rawValue)!, count: count,
      expected: expected, attempts: Int64(attempts), status: response.map { Int64($0.status) },
      failure: failure.map { FailureMessage($0) }, destination: request.destination?.path,
      file: request.sourcePath ?? (isDelivered ? nil : file?.path), verdict: sentence,
      priority: Double(request.priority), options: request.shownOptions, answer: answer)
  }
}

extension AppView {
  /// An app as people and scripts see it.
  var message: ControlInterface.App {
    var path: String?
    if case .bundle(let folder, _) = installed.kind { path = folder }
    var message = ControlInterface.App(
      id: installed.id.rawValue, name: installed.displayName, path: path,
      state: ControlInterface.App.State(rawValue: state.rawValue)!, pid: pid.map { Int64($0) },
      transfers: Int64(transfers), waiting: Int64(waiting), verdict: sentence, lastEnd: lastEnd,
      crashed: lastEnd.map { _ in hasCrashed }, badge: badge > 0 ? Int64(badge) : nil,
      modes: path.map { _ in installed.modes }, backgroundRefresh: path.map { _ in refreshes })
    (message.leader, message.view, message.recent) = (leader.map { Int64($0) }, view, card.used)
    message.snapshot = card.isStale || isHidden ? nil : card.snapshot
    return message
  }

  private var sentence: String? {
    switch verdict {
    case nil: nil
    case .allowed: "It is about to be told."
    case .waits(let reason, let atMost): reason.sentence + (atMost.map { ", in \($0.inWords) at the latest." } ?? ".")
    }
  }
}

extension StatusView {
  func message(_ facts: StandingFacts, home: Home, screen: Screen) -> ControlInterface.Status.Reply {
    .init(
      version: facts.version, pid: Int64(facts.pid), home: home.data, socket: facts.socket, apps: Int64(apps),
      transfers: Int64(transfers), running: Int64(running), waiting: Int64(waiting),
      online: device.conditions.isOnline,
      degraded: facts.degraded + [screen.trouble, facts.stagingTrouble()].compactMap { $0 },
      device: device.message)
  }
}
