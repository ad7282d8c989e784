import Foundation
import NightjarWire

/// Draws the app's window, and passes on what people do in it.
@MainActor
final class Screen {
  static let shared = Screen()

  /// The visible window. The app keeps it alive.
  weak var window: UIWindow? {
    didSet { setNeedsDisplay() }
  }
  /// The link to the daemon, which the view is sent over.
  var link: Link?
  private var isDirty = false
  /// The markup that was sent last; the same is not sent again.
  private var drawn: String?

  private var controller: HTMLViewController? { window?.rootViewController as? HTMLViewController }

  /// Draws once the main queue gets to it.
  func setNeedsDisplay() {
    guard !isDirty else { return }
    isDirty = true
    DispatchQueue.main.async { self.drawIfSeen() }
  }

  /// Draws now, so that the view or the snapshot reaches the daemon before any later call.
  func drawAtOnce() {
    drawn = nil
    draw(atOnce: true)
  }

  /// A person did something in the view.
  func perform(_ acted: AppInterface.Acted) { controller?.perform(acted.action, fields: acted.fields) }

  private func drawIfSeen() {
    guard isDirty, UIApplication.shared.applicationState != .background else { return }
    draw(atOnce: false)
  }

  private func draw(atOnce: Bool) {
    isDirty = false
    guard let markup = controller?.html().markup, markup != drawn else { return }
    drawn = markup
    link?.show(markup, atOnce: atOnce)
  }
}
