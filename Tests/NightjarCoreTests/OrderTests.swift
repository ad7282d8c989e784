import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An ordered index` {
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `is a sorted dictionary, whatever is done to it`(seed: UInt64) {
    var state = seed
    func roll(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var index = OrderedIndex<Int, Int>()
    var model: [Int: Int] = [:]

    for step in 0..<6_000 {
      let key = roll(step < 3_000 ? 2_000 : 500)
      if roll(3) == 0 {
        (index[key], model[key]) = (nil, nil)
      } else {
        (index[key], model[key]) = (step, step)
      }
    }

    let sorted = model.sorted { $0.key < $1.key }
    #expect(index.count == model.count)
    #expect(index.entries(after: nil, limit: .max).map(\.key) == sorted.map(\.key))
    #expect(index.values == sorted.map(\.value))
    #expect(index.first?.key == sorted.first?.key)
    for probe in stride(from: -1, through: 2_001, by: 7) {
      #expect(index[probe] == model[probe])
      let after = sorted.filter { $0.key > probe }.prefix(5).map(\.key)
      #expect(index.entries(after: probe, limit: 5).map(\.key) == Array(after))
    }
  }

  @Test func `begins anew where it was emptied`() {
    var index = OrderedIndex<Int, Int>()
    for key in 0..<600 { index[key] = key }
    for key in 0..<600 { index[key] = nil }
    let left = index.entries(after: nil, limit: 9).count + index.chunkCount + (index.first?.key ?? index[3] ?? 0)
    for key in [7, 3, 5] { index[key] = key }

    #expect(left == 0 && index.count == 3)
    #expect(index.values == [3, 5, 7])
  }

  @Test func `costs about as many comparisons with a hundred thousand entries as with a hundred`() {
    let small = comparisons(amongst: 100)
    let large = comparisons(amongst: 100_000)

    #expect(large < 3 * small)
  }

  @Test func `takes descending keys above a full chunk without a chunk for each`() {
    var index = OrderedIndex<Int, Void>()
    for key in 0..<256 { index[key] = () }
    for key in (256..<20_000).reversed() { index[key] = () }

    #expect(index.entries(after: nil, limit: .max).map(\.key) == Array(0..<20_000))
    #expect(index.chunkCount < 400)
  }

  private func comparisons(amongst count: Int) -> Int {
    let counter = Counter()
    var index = OrderedIndex<CountedKey, Void>()
    for number in 0..<count { index[CountedKey(number: number * 2, counter: counter)] = () }
    counter.count = 0
    for number in 0..<100 { index[CountedKey(number: number * 2 * (count / 100) + 1, counter: counter)] = () }
    return counter.count
  }
}

private final class Counter: @unchecked Sendable { var count = 0 }  // One test's, on one thread.

private struct CountedKey: Comparable, Sendable {
  var number: Int
  let counter: Counter

  static func == (a: Self, b: Self) -> Bool { a.number == b.number }
  static func < (a: Self, b: Self) -> Bool {
    a.counter.count += 1
    return a.number < b.number
  }
}

@Suite struct `An agenda` {
  @Test func `gives what is due, earliest first, and nothing else`() {
    var agenda = Agenda<Int>()
    for key in 0..<100 { agenda.set(key, due: Age(.seconds((key * 37) % 100))) }

    var popped: [Int] = []
    while let key = agenda.popDue(at: Age(.seconds(49))) { popped.append((key * 37) % 100) }

    #expect(popped == Array(0..<50))
    #expect(agenda.next == Age(.seconds(50)))
  }

  @Test func `knows only the newest of an entry's moves`() {
    var agenda = Agenda<Int>()
    agenda.set(1, due: Age(.seconds(5)))
    agenda.set(1, due: Age(.seconds(9)))
    agenda.set(1, due: Age(.seconds(5)))
    agenda.set(2, due: Age(.seconds(1)))
    agenda.set(2, due: nil)

    let first = agenda.popDue(at: Age(.seconds(100)))
    let second = agenda.popDue(at: Age(.seconds(100)))

    #expect(first == 1)
    #expect(second == nil)
    #expect(agenda.next == nil)
  }

  @Test func `stays small however often entries move`() {
    var agenda = Agenda<Int>()
    for move in 0..<100_000 { agenda.set(move % 10, due: Age(.seconds(move))) }

    #expect(agenda.count == 10)
    #expect(agenda.heapCount < 200)
    #expect(agenda.next == Age(.seconds(99_990)))
  }
}
