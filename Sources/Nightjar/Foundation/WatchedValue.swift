import Foundation

/// An observed value of an object, and its value at the last look.
// Unchecked: the lock of all watches guards what changes.
final class WatchedValue<Object: AnyObject, Value>: @unchecked Sendable {
  private weak var object: Object?
  private let keyPath: KeyPath<Object, Value>
  private let options: NSKeyValueObservingOptions
  private let handler: @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
  /// Nil before the first look.
  private var last: Value?

  init(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
  ) { (self.object, self.keyPath, self.options, self.handler) = (object, keyPath, options, handler) }

  /// Takes the first look, and returns a call to the observer with the current value.
  func begin() -> (() -> Void)? {
    guard let object else { return nil }
    let now = object[keyPath: keyPath]
    last = now
    return call(object, old: nil, new: now)
  }

  /// Looks again, and returns a call to the observer if the value has changed since the last look.
  func look() -> (() -> Void)? {
    guard let object, let old = last else { return nil }
    let now = object[keyPath: keyPath]
    guard !Self.isSame(old, now) else { return nil }
    last = now
    return call(object, old: old, new: now)
  }

  private func call(_ object: Object, old: Value?, new: Value) -> () -> Void {
    let change = NSKeyValueObservedChange(
      newValue: options.contains(.new) ? new : nil, oldValue: options.contains(.old) ? old : nil)
    return { [handler] in handler(object, change) }
  }

  /// Compares two values; those that are not `Equatable`, as an error may be, by their descriptions.
  private static func isSame(_ old: Value, _ new: Value) -> Bool {
    guard let old = old as? any Equatable else { return "\(old)" == "\(new)" }
    return old.equals(new)
  }
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { other as? Self == self }
}
