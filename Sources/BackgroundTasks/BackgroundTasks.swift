// Makes `import BackgroundTasks` compile on Linux: with it come Nightjar's `BGTaskScheduler` and its kin, and Foundation, as
// on iOS. A package that is built for Apple's systems too depends on this product for Linux only.

@_exported public import Foundation
@_exported public import Nightjar
