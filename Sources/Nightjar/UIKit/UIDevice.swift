public import Foundation

/// The device that the app runs on (Apple's `UIDevice`), as far as multitasking concerns it.
@MainActor
open class UIDevice: NSObject {
  /// The one device.
  public static let current = UIDevice()

  /// Whether apps go on in the background. Always true: without a daemon nothing suspends an app, and with one it gets the
  /// time that iOS gives.
  open var isMultitaskingSupported: Bool { true }
}
