/// A value in a box that its copies share, until one of them is changed.
///
/// To hand it on is to hand on a pointer, however large the value is; a change by the only one who holds it happens where
/// it lies.
struct Shared<Value: Sendable>: Sendable {
  private var box: Box

  init(_ value: consuming Value) { box = Box(value) }

  var value: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  /// Takes the value out of the box.
  consuming func opened() -> Value { box.value }

  /// Changed only by one who holds it alone, so it never changes for anybody else.
  private final class Box: @unchecked Sendable {
    var value: Value

    init(_ value: consuming Value) { self.value = value }
  }
}
