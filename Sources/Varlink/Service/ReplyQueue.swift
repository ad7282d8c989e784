/// Brings the replies of one connection into the order of its calls.
///
/// Each call has a place in the queue. Replies to the first call are sent at once, replies to a later one wait until
/// all before it are complete.
struct ReplyQueue {
  /// The result of adding a reply.
  enum Outcome { case taken, alreadyComplete }

  private struct Place {
    var held: [UInt8] = []
    var isComplete = false
  }

  /// So much memory is kept in each of two buffers: together less than the share of every client.
  private static let keptBytesMax = VarlinkService.Limits.ownBytes / 4

  private var places: [Place] = []
  private var head = 0  // The index of the first place that is not complete.
  private var first: UInt64 = 0  // The number of that place.
  /// Bytes ready to be sent.
  private(set) var ready: [UInt8] = []
  /// Bytes that wait for an earlier call.
  private(set) var heldBytes = 0

  /// How much memory it has for replies, in bytes: a buffer that grows may have room for twice of what is in it.
  var memory: Int { ready.capacity + heldBytes }

  /// How many calls wait for their last reply.
  var openCalls: Int { places.count - head }

  /// Bytes of a place and of those before it that wait for an earlier call.
  func heldBytes(upTo number: UInt64) -> Int {
    guard number > first else { return 0 }
    return places[head...(head + Int(number - first))].reduce(0) { $0 + $1.held.count }
  }

  /// Gives the next call its place.
  mutating func open() -> UInt64 {
    places.append(Place())
    return first + UInt64(places.count - head - 1)
  }

  /// Adds a reply to a place; the last one completes it.
  mutating func append(_ bytes: [UInt8], to number: UInt64, isLast: Bool) -> Outcome {
    guard number >= first else { return .alreadyComplete }
    let index = head + Int(number - first)
    guard !places[index].isComplete else { return .alreadyComplete }
    places[index].isComplete = isLast
    if index == head {
      ready.append(contentsOf: bytes)
      if isLast { release() }
    } else {
      places[index].held.append(contentsOf: bytes)
      heldBytes += bytes.count
    }
    return .taken
  }

  /// Swaps the ready bytes with a sent buffer, whose memory is reused, or given back if it is much.
  mutating func exchangeReady(_ buffer: inout [UInt8]) {
    buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptBytesMax)
    swap(&ready, &buffer)
  }

  /// Drops everything, since the client no longer reads.
  mutating func clear() {
    first += UInt64(openCalls)
    (places, head, ready, heldBytes) = ([], 0, [], 0)
  }

  /// Makes ready what waited behind complete places, up to the first place that is not complete.
  private mutating func release() {
    while head < places.count, places[head].isComplete {
      advance()
      guard head < places.count else { break }
      ready.append(contentsOf: places[head].held)
      heldBytes -= places[head].held.count
      places[head].held = []
    }
    if head > 64, head * 2 > places.count {
      places.removeFirst(head)
      head = 0
    }
  }

  private mutating func advance() {
    head += 1
    first += 1
  }
}
