/// A value in a box of its own.
///
/// A dictionary has up to three times as many slots as entries, each as large as a value: with a large value in a box,
/// the slots that are empty cost a pointer.
indirect enum Boxed<Value: Sendable>: Sendable {
  case holding(Value)

  init(_ value: Value) { self = .holding(value) }

  var value: Value {
    switch self {
    case .holding(let value): value
    }
  }
}
