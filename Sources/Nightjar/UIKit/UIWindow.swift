public import Foundation

/// What an app shows itself in (Apple's `UIWindow`): the view of its root view controller, once it is made visible.
///
/// Keep it in the delegate's `window`. There is one screen, and the last window that was made visible is on it.
@preconcurrency @MainActor
open class UIWindow: UIResponder {
  /// What the window shows. An ``HTMLViewController`` draws; any other shows nothing.
  open var rootViewController: UIViewController? {
    didSet { Screen.shared.setNeedsDisplay() }
  }

  /// Shows the window.
  open func makeKeyAndVisible() { Screen.shared.window = self }
}

/// What governs a window (Apple's `UIViewController`), as far as restoring its state concerns it.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
  /// What people read above it.
  open var title: String?
  /// Under which name its state is kept; without one it is not.
  open var restorationIdentifier: String?

  /// Writes down what it takes to come back to where the person was. Called when the app enters the background, and after
  /// each completion handler of background work.
  open func encodeRestorableState(with coder: NSCoder) {}

  /// Takes up what was written down in an earlier life. Called between `willFinishLaunching` and `didFinishLaunching`.
  open func decodeRestorableState(with coder: NSCoder) {}
}

/// Draws an app's view as HTML.
///
/// The view is shown in a sandbox, on the home screen: it may bring its own styles, and images as `data:` URLs, and neither
/// load anything nor run scripts. What a person does comes back: a click on an element with a `data-action` attribute, and
/// a form that is sent off, whose action is the `data-action` of the form or of the button that sent it. Other `data-`
/// attributes of what was clicked come along as fields: `<button data-action='remove' data-id='7'>`.
///
/// ```swift
/// final class Counter: HTMLViewController {
///   var count = 0
///   override func html() -> HTML { "<p>\(count)</p><button data-action='more'>More</button>" }
///   override func perform(_ action: String, fields: [String: String]) {
///     count += 1
///     setNeedsDisplay()
///   }
/// }
/// ```
@preconcurrency @MainActor
open class HTMLViewController: UIViewController {
  /// What is to be seen, made from the app's state whenever it is wanted. At most 256 KiB.
  open func html() -> HTML { "" }

  /// A person did something: `fields` holds what was filled in, by the names of the form's fields. Believe none of it.
  open func perform(_ action: String, fields: [String: String]) {}

  /// Has the view drawn anew, soon and once, however often this is called. Nothing is drawn in the background, but when a
  /// snapshot is taken.
  public final func setNeedsDisplay() { Screen.shared.setNeedsDisplay() }
}
