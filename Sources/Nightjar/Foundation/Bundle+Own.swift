import Foundation

extension Bundle {
  /// The app's bundle, for what its `Info.plist` says; nil if it is gone.
  ///
  /// `Bundle.main` crashes the process (swift-corelibs-foundation unwraps it by force) if it is asked for the first
  /// time when nothing lies any more where the process began: an upgrade may have given the bundle another name.
  static var own: Bundle? {
    own(
      begunAt: ProcessInfo.processInfo.arguments.first ?? "",
      liesAt: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  }

  /// The bundle of a program that was started at a path, and whose file lies at another by now.
  static func own(begunAt path: String, liesAt executable: String?) -> Bundle? {
    let files = FileManager.default
    guard let executable, !(path.hasPrefix("/") && files.fileExists(atPath: path)) else { return .main }
    guard files.fileExists(atPath: executable) else { return nil }
    return path.hasPrefix("/") ? Bundle(path: (executable as NSString).deletingLastPathComponent) : .main
  }
}
