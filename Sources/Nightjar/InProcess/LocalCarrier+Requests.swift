import Foundation
import FoundationNetworking
import Synchronization

// The requests of a task. Each is a new task of FoundationNetworking, also after a redirect, which FoundationNetworking
// would follow with the same task but without the body.
extension LocalCarrier {
  /// Starts a task.
  func start(_ task: URLSessionTask) {
    takeUp(task.taskIdentifier)
    guard !state.withLock({ $0.begin(task.taskIdentifier) }) else {
      return note(.ended(URLError(.cancelled)), of: task.taskIdentifier)
    }
    guard let request = outgoing(task), !isAnswered(task, from: settings.cacheWord(for: request)) else { return }
    send(request, of: task)
  }

  /// Takes over the bytes with which a task resumes.
  private func takeUp(_ number: Int) {
    guard let remnant = state.withLock({ $0.tasks[number]?.remnant }) else { return }
    let sink = FileSink(takingUp: remnant)
    state.withLock { $0.tasks[number]?.takeUp(sink) }
  }

  /// Opens the file of a download, unless it has one.
  func openFile(of number: Int) {
    guard state.withLock({ $0.tasks[number]?.lacksFile }) == true else { return }
    let sink = FileSink()
    state.withLock { $0.tasks[number]?.sink = sink }
  }

  /// Resumes a task that was suspended.
  func goOn(_ task: URLSessionTask) {
    let isParted = state.withLock { state in
      defer { state.tasks[task.taskIdentifier]?.parting.isParted = false }
      return state.tasks[task.taskIdentifier]?.parting.isParted
    }
    guard isParted == true, let request = outgoing(task) else {
      // A task that ran on meanwhile is not resumed: a protocol handler would be told to load again.
      if let theirs = foreignTask(of: task), theirs.state == .suspended { theirs.resume() }
      return
    }
    start(task, with: request)
  }

  /// Asks for the whole, since the server did not answer a request for the rest.
  func askForWhole(_ task: URLSessionTask) {
    acting.withLock { _ in
      let theirs = state.withLock { state in
        state.tasks[task.taskIdentifier]?.wantsWhole = false
        return state.part(task.taskIdentifier)
      }
      theirs?.cancel()
      if task.state == .running { goOn(task) }
    }
  }

  /// Sends the request again with a credential for the server's offer; if nil, with the credential used before.
  func askAgain(_ task: URLSessionTask, showing credential: URLCredential?, for offer: LocalCredentials.Offer) {
    acting.withLock { _ in
      guard task.state == .running || task.state == .suspended else { return }
      let number = task.taskIdentifier
      let theirs = state.withLock { state in
        let current = state.tasks[number]?.current
        state.tasks[number]?.credentials.show(credential, for: offer, with: current)
        return state.beginAnew(number)
      }
      theirs?.cancel()
      start(task)
    }
  }

  /// Carries out the app's answer to a redirect, if the asking task of FoundationNetworking is still the current one.
  /// That task waits for an answer, unless its request has timed out meanwhile: then it has a response, and an answer
  /// would end the process.
  func follow(
    _ redirect: HTTPURLResponse, to next: URLRequest?, of task: URLSessionTask,
    asked theirs: FoundationNetworking.URLSessionTask?, _ answer: @Sendable (URLRequest?) -> Void
  ) {
    acting.withLock { _ in
      guard task.state == .running || task.state == .suspended else { return }
      guard let theirs, foreignTask(of: task) === theirs else { return }
      let next = next.map { outgoing($0, after: redirect, of: task) }
      if next == nil, theirs.answer == nil { return answer(nil) }
      let sent = theirs.countOfBytesSent
      if next != nil { state.withLock { $0.tasks[task.taskIdentifier]?.redirected(redirect, sent: sent) } }
      state.withLock { $0.letGo(task.taskIdentifier) }?.cancel()
      guard let next else {
        for event in [.answered(redirect), .ended(nil)] as [LocalEvent] { note(event, of: task.taskIdentifier) }
        return
      }
      task.facts.withLock { $0.currentRequest = next }
      send(next, of: task)
    }
    task.watch.lookAgain()
  }

  /// The request with which the app follows a redirect, as it is sent.
  private func outgoing(_ next: URLRequest, after redirect: HTTPURLResponse, of task: URLSessionTask) -> URLRequest {
    let current = state.withLock { $0.tasks[task.taskIdentifier]?.current }
    let sound = next.withoutWishes.timed(in: settings)
    guard let following = current?.following(redirect) else { return sound }
    return sound.adding(settings.httpAdditionalHeaders, insteadOf: following).introduced
  }

  /// The app's request as it is sent. If a server has challenged it, this is the request after the redirects that led
  /// there.
  private func outgoing(_ task: URLSessionTask) -> URLRequest? {
    guard let own = task.originalRequest else { return nil }
    let original = own.withoutWishes.timed(in: settings).adding(settings.httpAdditionalHeaders).introduced
    return state.withLock { $0.tasks[task.taskIdentifier]?.credentials.signed(original) } ?? original
  }

  /// Sends a request with its body. A stream is asked for first, since FoundationNetworking cannot wait for the answer.
  private func send(_ request: URLRequest, of task: URLSessionTask) {
    guard let body = state.withLock({ $0.tasks[task.taskIdentifier]?.body(for: request) }) else { return }
    guard case .stream = body else { return start(task, with: request, body) }
    let answer: @Sendable (LocalStream) -> Void = { [self] in start(task, sending: $0, with: request) }
    note(.needsStream(answer), of: task.taskIdentifier)
  }

  private func start(_ task: URLSessionTask, sending body: LocalStream, with request: URLRequest) {
    acting.withLock { _ in
      guard task.state == .running || task.state == .suspended else { return }
      guard let stream = body.stream ?? request.httpBodyStream else {
        return note(.ended(URLError(.requestBodyStreamExhausted)), of: task.taskIdentifier)
      }
      var request = request
      request.httpBodyStream = stream
      start(task, with: request)
    }
  }

  private func start(_ task: URLSessionTask, with request: URLRequest, _ body: LocalBody = .request) {
    let number = task.taskIdentifier
    let outgoing = settings.addingCookies(to: state.withLock { $0.tasks[number]?.send(request) } ?? request)
    guard state.withLock({ $0.tasks[number]?.mayBeSent(outgoing) }) != false else {
      return note(.ended(URLError(.badURL)), of: number)
    }
    if body.isSent(with: request) { task.facts.withLock { $0.sent.count = 0 } }  // It may have been sent before.
    let theirs = foreignTask(for: outgoing, body)
    theirs.priority = task.priority
    openFile(of: number)
    state.withLock { $0.start(number, as: theirs) }
    if task.state == .running { theirs.resume() }
  }

  private func foreignTask(for request: URLRequest, _ body: LocalBody) -> FoundationNetworking.URLSessionTask {
    let request = request.withKnownScheme
    return switch body {
    case .request, .stream: foreign.dataTask(with: request)
    case .data(let data): foreign.uploadTask(with: request, from: data)
    case .file(let file): foreign.uploadTask(with: request, fromFile: file)
    }
  }
}

extension URLRequest {
  /// The request with the scheme in lower case, which is the only case that FoundationNetworking knows.
  fileprivate var withKnownScheme: URLRequest {
    guard let url, let scheme = url.scheme, case let known = scheme.lowercased(), known != scheme else { return self }
    guard ["http", "https", "ftp"].contains(known) else { return self }
    var request = self
    request.url = URL(string: known + url.absoluteString.dropFirst(scheme.count))
    return request
  }
}
