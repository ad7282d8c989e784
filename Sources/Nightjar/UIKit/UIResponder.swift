public import Foundation

/// What app delegates derive from (Apple's `UIResponder`).
@MainActor
open class UIResponder: NSObject {
  /// Makes a responder. Required, so that `@main` can make the app's delegate.
  public required override nonisolated init() { super.init() }
}

/// The window that an app delegate names (Apple's `UIWindow`). Nightjar draws nothing: it is a place to keep one.
@MainActor
open class UIWindow: UIResponder {}
