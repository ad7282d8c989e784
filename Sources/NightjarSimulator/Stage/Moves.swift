import NightjarCore
import NightjarModel

/// The attempts at transfers on a stage: which are under way, their progress, and when their next event is due.
///
/// Only sizes and times are known here. A request takes the time for its bytes and a round trip; then the player of the
/// servers is asked for the answer, which comes at the same rate. Times are in milliseconds awake: nothing moves while
/// the device sleeps.
struct Moves: Sendable {
  /// The news of some attempts.
  struct News {
    var events: [Event] = []
    var cues: [Stage.Cue] = []
  }

  /// The bytes per second of each transfer.
  var bytesPerSecond: Int64 = 1_000_000
  private var moves: [TransferID: Move] = [:]
  private var looks = Heap<Look>()

  private struct Look: Sendable {
    var id: TransferID
    var attempt: Int
  }

  /// When something is due next.
  var next: Int64? { looks.next }

  /// Begins an attempt. It takes over the remnant of another transfer, if it resumes from one.
  mutating func begin(_ order: TransferOrder, at now: Int64) -> [Event] {
    let rate = min(bytesPerSecond, order.request.options.bytesPerSecondMax ?? .max)
    let sending = Course(at: now + Move.wayThereAndBack, first: 0, last: order.bodySize, bytesPerSecond: max(rate, 1))
    moves[order.id] = Move(order: order, leg: .sending(sending))
    look(order.id, at: now)
    guard var point = order.resume, point.heritage != nil else { return [] }
    point.heritage = nil
    return [.transfer(order.id, attempt: order.attempt, .checkpointed(point))]
  }

  /// The news that is due: ended legs, and progress now and then.
  mutating func news(at now: Int64) -> News {
    var news = News()
    while let due = looks.next, due <= now, let (_, look) = looks.pop() {
      guard let move = moves[look.id], move.order.attempt == look.attempt else { continue }  // It was stopped.
      take(move, at: now, into: &news)
    }
    return news
  }

  /// Begins the server's answer: the bytes of `arrival` come from now on.
  mutating func answer(_ id: TransferID, attempt: Int, _ arrival: Stage.Arrival, at now: Int64) -> [Event] {
    guard let move = moves[id], move.order.attempt == attempt, case .asking(let rate) = move.leg else { return [] }
    let course = Course(at: now, first: arrival.offset, last: arrival.length, bytesPerSecond: rate)
    moves[id]?.leg = .receiving(course, arrival)
    look(id, at: now)
    guard move.order.request.direction == .download else { return [] }
    return [
      .transfer(id, attempt: attempt, .checkpointed(arrival.point(at: arrival.offset))),
      .transfer(id, attempt: attempt, .progressed(count: arrival.offset, expected: arrival.length)),
    ]
  }

  func isUnderWay(_ id: TransferID, attempt: Int) -> Bool { moves[id]?.order.attempt == attempt }

  /// Ends an attempt; false if it is not under way.
  mutating func end(_ id: TransferID, attempt: Int) -> Bool {
    guard isUnderWay(id, attempt: attempt) else { return false }
    moves[id] = nil
    return true
  }

  /// Stops an attempt at the byte that it has reached.
  mutating func stop(_ id: TransferID, attempt: Int, at now: Int64) -> [Event] {
    guard let move = moves[id], move.order.attempt == attempt else { return [] }
    moves[id] = nil
    let stopped = Event.transfer(id, attempt: attempt, .stopped)
    guard move.order.request.direction == .download, let (course, arrival) = move.receiving else { return [stopped] }
    return [.transfer(id, attempt: attempt, .checkpointed(arrival.point(at: course.count(at: now)))), stopped]
  }

  /// Forgets a transfer, even if an attempt is under way.
  mutating func discard(_ id: TransferID) { moves[id] = nil }

  // MARK: Legs

  private mutating func take(_ move: Move, at now: Int64, into news: inout News) {
    let (id, attempt) = (move.order.id, move.order.attempt)
    if let (count, expected) = move.progress(at: now) {
      news.events.append(.transfer(id, attempt: attempt, .progressed(count: count, expected: expected)))
      if let arrival = move.receiving?.arrival {
        news.events.append(.transfer(id, attempt: attempt, .checkpointed(arrival.point(at: count))))
      }
    }
    switch move.leg {
    case .sending(let course) where course.end <= now:
      moves[id]?.leg = .asking(bytesPerSecond: course.bytesPerSecond)
      news.cues.append(.requested(move.order))
    case .receiving(let course, let arrival) where course.end <= now:
      moves[id]?.leg = .received(course, arrival)
      news.cues.append(.arrived(id, attempt: attempt))
    case .sending, .receiving: look(id, at: now)
    case .asking, .received: break
    }
  }

  /// Plans the next look, for when there is news of a move.
  private mutating func look(_ id: TransferID, at now: Int64) {
    guard let move = moves[id], let course = move.course else { return }
    let pause = min(max((course.end - course.at) / Move.tellings, Move.pauseMin), Move.pauseMax)
    looks.insert(Look(id: id, attempt: move.order.attempt), at: max(min(now + pause, course.end), now))
  }
}

/// One attempt under way.
private struct Move: Sendable {
  enum Leg: Sendable {
    /// The request is on its way.
    case sending(Course)
    /// The server is asked.
    case asking(bytesPerSecond: Int64)
    /// The answer comes.
    case receiving(Course, Stage.Arrival)
    /// The answer has come, and is about to be stored.
    case received(Course, Stage.Arrival)
  }

  var order: TransferOrder
  var leg: Leg

  /// The milliseconds that a request and its answer take besides those for their bytes.
  static let wayThereAndBack: Int64 = 100
  /// How often an attempt reports progress, and the least and longest time in between, which is less than any request's
  /// timeout.
  static let (tellings, pauseMin, pauseMax): (Int64, Int64, Int64) = (20, 1000, 30_000)

  /// The bytes that move at present.
  var course: Course? {
    switch leg {
    case .sending(let course), .receiving(let course, _): course
    case .asking, .received: nil
    }
  }

  /// The answer that comes or has come.
  var receiving: (course: Course, arrival: Stage.Arrival)? {
    switch leg {
    case .receiving(let course, let arrival), .received(let course, let arrival): (course, arrival)
    case .sending, .asking: nil
    }
  }

  /// Bytes moved and the whole length of the body that the transfer is about; nil while other bytes move.
  func progress(at now: Int64) -> (count: Int64, expected: Int64)? {
    switch (leg, order.request.direction) {
    case (.sending(let course), .upload): (course.count(at: now), course.last)
    case (.receiving(let course, _), .download): (course.count(at: now), course.last)
    case (.sending, .download), (.receiving, .upload), (.asking, _), (.received, _): nil
    }
  }
}

/// Bytes that move at a steady rate, from a moment on.
private struct Course: Sendable {
  var at: Int64
  var first: Int64
  var last: Int64
  var bytesPerSecond: Int64

  /// When the last has moved.
  var end: Int64 {
    let (seconds, rest) = (last - first).quotientAndRemainder(dividingBy: bytesPerSecond)
    return at + seconds * 1000 + Int64((Double(rest) * 1000 / Double(bytesPerSecond)).rounded(.up))
  }

  /// How many bytes have moved by then, counted from the beginning of the whole.
  func count(at now: Int64) -> Int64 {
    guard now < end else { return last }
    return min(first + Int64(Double(max(now - at, 0)) * Double(bytesPerSecond) / 1000), last)
  }
}

extension Stage.Arrival {
  fileprivate func point(at offset: Int64) -> ResumePoint {
    ResumePoint(offset: offset, validator: validator, length: length)
  }
}

extension TransferOrder {
  /// Bytes of the request's body.
  fileprivate var bodySize: Int64 {
    switch request.direction {
    case .download: Int64(request.body.count)
    case .upload(_, let stamp): stamp.size
    }
  }
}
