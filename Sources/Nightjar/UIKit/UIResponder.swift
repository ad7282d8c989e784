public import Foundation

/// The base class of app delegates (Apple's `UIResponder`).
@preconcurrency @MainActor
open class UIResponder: NSObject {
  /// Creates a responder. Required, so that `@main` can create the app's delegate.
  public required override init() { super.init() }
}
