/// A dictionary that is always in the order of its keys: lookups and changes touch one small chunk, walks go in order.
struct OrderedIndex<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  private typealias Entry = (key: Key, value: Value)
  private static var chunkMax: Int { 256 }

  /// Chunks of entries, in ascending order over all chunks. None is empty, except that the only one left stays when it
  /// is, since another entry will most likely come.
  private var chunks: [[Entry]] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  /// How many chunks it has.
  var chunkCount: Int { isEmpty ? 0 : chunks.count }
  var first: (key: Key, value: Value)? { chunks.first?.first }

  /// The last entry whose value meets a condition.
  func last(where holds: (Value) -> Bool) -> (key: Key, value: Value)? {
    for chunk in chunks.indices.reversed() {
      if let entry = chunks[chunk].last(where: { holds($0.value) }) { return entry }
    }
    return nil
  }

  subscript(key: Key) -> Value? {
    get {
      guard let (chunk, place, isThere) = find(key), isThere else { return nil }
      return chunks[chunk][place].value
    }
    set {
      guard let newValue else { return remove(key) }
      insert(key, newValue)
    }
  }

  /// At most `limit` entries whose keys lie above `key`, lowest first; from the lowest of all with nil.
  func entries(after key: Key?, limit: Int) -> [(key: Key, value: Value)] {
    guard limit > 0, var (chunk, place) = start(after: key) else { return [] }
    var found: [(key: Key, value: Value)] = []
    while chunk < chunks.count, found.count < limit {
      let part = chunks[chunk][place...].prefix(limit - found.count)
      found.append(contentsOf: part)
      (chunk, place) = (chunk + 1, 0)
    }
    return found
  }

  /// All values in the order of their keys.
  var values: [Value] { chunks.flatMap { $0.map(\.value) } }

  private func start(after key: Key?) -> (chunk: Int, place: Int)? {
    guard let key else { return isEmpty ? nil : (0, 0) }
    guard let (chunk, place, isThere) = find(key) else { return nil }
    return (chunk, isThere ? place + 1 : place)
  }

  /// The place of a key, or where it would be inserted; nil while there is no entry.
  private func find(_ key: Key) -> (chunk: Int, place: Int, isThere: Bool)? {
    guard !isEmpty else { return nil }
    let chunk = max(Self.partition(chunks.count) { chunks[$0][0].key <= key } - 1, 0)
    let place = Self.partition(chunks[chunk].count) { chunks[chunk][$0].key < key }
    return (chunk, place, place < chunks[chunk].count && chunks[chunk][place].key == key)
  }

  /// How many of the places from 0 on meet a condition that holds for the first few and none after them.
  private static func partition(_ count: Int, _ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func insert(_ key: Key, _ value: Value) {
    guard let found = find(key) else {
      if chunks.isEmpty { chunks.append([]) }
      chunks[0].append((key, value))
      count = 1
      return
    }
    var (chunk, place) = (found.chunk, found.place)
    guard !found.isThere else {
      chunks[chunk][place].value = value
      return
    }
    if place == Self.chunkMax, chunk + 1 < chunks.count, chunks[chunk + 1].count < Self.chunkMax {
      (chunk, place) = (chunk + 1, 0)  // The end of a full chunk is as good as the beginning of the next.
    }
    chunks[chunk].insert((key, value), at: place)
    count += 1
    if chunks[chunk].count > Self.chunkMax { split(chunk, appended: place == Self.chunkMax) }
  }

  /// Keys mostly come in ascending order: a chunk that overflows at its end is left nearly full.
  private mutating func split(_ chunk: Int, appended: Bool) {
    let middle = appended ? Self.chunkMax : Self.chunkMax / 2
    chunks.insert(Array(chunks[chunk][middle...]), at: chunk + 1)
    chunks[chunk].removeSubrange(middle...)
  }

  private mutating func remove(_ key: Key) {
    guard let (chunk, place, isThere) = find(key), isThere else { return }
    chunks[chunk].remove(at: place)
    count -= 1
    if chunks[chunk].isEmpty, chunks.count > 1 { chunks.remove(at: chunk) }
  }
}
