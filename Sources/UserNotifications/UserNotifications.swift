// Makes `import UserNotifications` compile on Linux, with Nightjar's `UNUserNotificationCenter` and related classes,
// and Foundation, as on iOS. A package that is also built for Apple's systems depends on this product on Linux only.

@_exported public import Foundation
@_exported public import Nightjar
