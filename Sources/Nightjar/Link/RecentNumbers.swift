/// The numbers inserted last, up to a maximum, to recognise repetitions.
struct RecentNumbers {
  private let countMax: Int
  private var order = Fifo<Int64>()
  private var members: Set<Int64> = []

  init(countMax: Int) { self.countMax = countMax }

  func contains(_ number: Int64) -> Bool { members.contains(number) }

  mutating func insert(_ number: Int64) {
    guard members.insert(number).inserted else { return }
    order.append(number)
    if order.count > countMax, let oldest = order.popFirst() { members.remove(oldest) }
  }
}
