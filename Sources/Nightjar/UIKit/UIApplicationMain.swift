import Foundation

/// Runs the app with a delegate that is named, as `main.swift` does it in apps without `@main`; never returns.
///
/// ```swift
/// UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
/// ```
///
/// - Parameters:
///   - argc: Without effect.
///   - argv: Without effect.
///   - principalClassName: Without effect: the application is always a ``UIApplication``.
///   - delegateClassName: The class of the delegate, a ``UIResponder``, which is created by its `init()`. A name
///     without a module is one of the program's own. If there is no such class, or no name, the process ends with a
///     message.
@discardableResult
@preconcurrency @MainActor
public func UIApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
  _ delegateClassName: String?
) -> Int32 {
  if let principalClassName, principalClassName != "UIApplication",
    NSClassFromString(principalClassName) != UIApplication.self
  {
    Console.warn("UIApplicationMain: the app is a UIApplication, not a \(principalClassName)")
  }
  let name = delegateClassName ?? "(null)"
  guard let delegate = delegateClass(name) else { Misuse.noClass(name) }
  AppLife.shared.run(link: Link.shared) { delegate.init() }
}

/// The class of that name: as it stands, or else in the program's own module.
@MainActor
func delegateClass(
  _ name: String, program: String = ProcessInfo.processInfo.processName
) -> (any (UIResponder & UIApplicationDelegate).Type)? {
  let module = String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  let named: AnyClass? = NSClassFromString(name) ?? NSClassFromString("\(module).\(name)")
  return named as? any (UIResponder & UIApplicationDelegate).Type
}
