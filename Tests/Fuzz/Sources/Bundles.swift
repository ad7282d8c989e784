@testable import NightjarPlatform

/// An `Info.plist`, XML or binary, is read or refused.
func fuzzInfo(_ bytes: UnsafeBufferPointer<UInt8>) {
  _ = try? BundleInfo(Array(bytes), at: "Info.plist")
}
