public import Foundation

/// A window, which shows the view of its root view controller once it is made visible (Apple's `UIWindow`).
///
/// Keep it in the delegate's `window`. There is one screen, and it shows the last window that was made visible.
@preconcurrency @MainActor
open class UIWindow: UIResponder {
  /// The controller whose view the window shows: an ``HTMLViewController``. Any other shows nothing.
  open var rootViewController: UIViewController? {
    didSet { Screen.shared.setNeedsDisplay() }
  }

  /// Shows the window.
  open func makeKeyAndVisible() { Screen.shared.window = self }
}

/// The controller of a window's content (Apple's `UIViewController`), as far as state restoration is concerned.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
  /// The title: kept, but not shown. What people are to read stands in the view.
  open var title: String?
  /// The name under which the state is kept; if nil, no state is kept.
  open var restorationIdentifier: String?

  /// Encodes the state that brings the person back to where they were. Called when the app enters the background, and
  /// after each completion handler of background work.
  open func encodeRestorableState(with coder: NSCoder) {}

  /// Decodes the state that an earlier life encoded. Called between `willFinishLaunching` and `didFinishLaunching`, or
  /// right after, if `didFinishLaunching` creates the controller.
  open func decodeRestorableState(with coder: NSCoder) {}

  /// The app's state is restored. Called after all else that concerns it, if this controller has decoded a state.
  open func applicationFinishedRestoringState() {}
}

/// Draws an app's view as HTML.
///
/// The view is shown in a sandbox, on the home screen: it may have its own styles, and images as `data:` URLs, but it
/// neither loads anything nor runs scripts. ``perform(_:fields:)`` is called when a person clicks an element with a
/// `data-action` attribute, or submits a form; the action of a form is the `data-action` of the form or of the button
/// that submitted it. Other `data-` attributes of the clicked element are passed as fields:
/// `<button data-action='remove' data-id='7'>`.
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
  /// Returns the view, made from the app's state each time it is drawn. At most 256 KiB.
  open func html() -> HTML { "" }

  /// A person did something in the view. `fields` holds the values of the form, by the names of its fields. Validate
  /// all of them.
  open func perform(_ action: String, fields: [String: String]) {}

  /// Redraws the view, soon and once, however often this is called. In the background it is drawn only for a snapshot.
  public final func setNeedsDisplay() { Screen.shared.setNeedsDisplay() }
}
