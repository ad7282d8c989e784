public import Foundation

/// What app delegates derive from (Apple's `UIResponder`).
@preconcurrency @MainActor
open class UIResponder: NSObject {
  /// Makes a responder. Required, so that `@main` can make the app's delegate.
  public required override nonisolated init() { super.init() }
}
