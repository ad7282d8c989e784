/// Brings the replies of one connection into the order of its calls, however late each is given.
///
/// A call has a place in the queue. What is answered to the first call goes out at once, what is answered to a later one
/// waits until all before it are complete.
struct ReplyQueue {
  /// What became of a reply.
  enum Outcome { case taken, alreadyComplete }

  private struct Place {
    var held: [UInt8] = []
    var isComplete = false
  }

  private var places: [Place] = []
  private var head = 0  // The index of the first place that is not complete.
  private var first: UInt64 = 0  // The number of that place.
  /// Bytes ready to be sent.
  private(set) var ready: [UInt8] = []
  /// Bytes that wait for an earlier call.
  private(set) var heldBytes = 0

  /// How many calls wait for their last reply.
  var openCalls: Int { places.count - head }

  /// Bytes of a place, and of those before it, that wait for an earlier call.
  func heldBytes(upTo number: UInt64) -> Int {
    guard number > first else { return 0 }
    return places[head...(head + Int(number - first))].reduce(0) { $0 + $1.held.count }
  }

  /// Gives the next call its place.
  mutating func open() -> UInt64 {
    places.append(Place())
    return first + UInt64(places.count - head - 1)
  }

  /// Takes a reply for a place; with the last one the place is complete.
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

  /// Hands over what is ready in exchange for an empty buffer, whose memory is used again.
  mutating func exchangeReady(_ buffer: inout [UInt8]) {
    buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 18)
    swap(&ready, &buffer)
  }

  /// Forgets everything: nobody will read it.
  mutating func clear() {
    first += UInt64(openCalls)
    (places, head, ready, heldBytes) = ([], 0, [], 0)
  }

  /// Lets out what waited behind places that are now complete, up to the first that is not.
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
