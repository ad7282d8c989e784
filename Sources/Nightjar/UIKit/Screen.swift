import Foundation
import NightjarWire

/// What the app shows: draws its window, and takes what people do in it.
@MainActor
final class Screen {
  static let shared = Screen()

  /// The window that is visible. Whoever made it keeps it.
  weak var window: UIWindow? {
    didSet { setNeedsDisplay() }
  }
  /// Where what is drawn goes.
  var link: Link?
  private var isDirty = false
  /// What was drawn last, so that the same is not sent again.
  private var drawn: String?

  private var controller: HTMLViewController? { window?.rootViewController as? HTMLViewController }

  /// Draws once whatever is going on is over.
  func setNeedsDisplay() {
    guard !isDirty else { return }
    isDirty = true
    DispatchQueue.main.async { self.drawIfSeen() }
  }

  /// Draws what a person sees from now on, or a snapshot will show: before whatever is asked of the daemon next.
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
