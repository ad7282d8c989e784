/// A value in a box that its copies share, until one of them is changed.
///
/// To pass it on is to pass on a pointer, however large the value is; its only holder changes it in place.
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

  /// Changed only while it has a single holder, so it never changes for another. For the same reason nobody else can
  /// be reading it then, and there is nothing to check at run time.
  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) var value: Value

    init(_ value: consuming Value) { self.value = value }
  }
}
