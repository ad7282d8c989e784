public import Foundation

// Properties of Apple's Progress that Foundation's lacks. They are kept in its `userInfo`, under the keys that both
// have, as on Apple's systems. They have the values that code has set: no task of this library sets any.

extension Progress {
  /// What is done with files.
  public var fileOperationKind: FileOperationKind? {
    get { userInfo[.fileOperationKindKey] as? FileOperationKind }
    set { setUserInfoObject(newValue, forKey: .fileOperationKindKey) }
  }

  /// The file.
  public var fileURL: URL? {
    get { userInfo[.fileURLKey] as? URL }
    set { setUserInfoObject(newValue, forKey: .fileURLKey) }
  }

  /// The number of files.
  public var fileTotalCount: Int? {
    get { number(.fileTotalCountKey)?.intValue }
    set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .fileTotalCountKey) }
  }

  /// The number of files that are done.
  public var fileCompletedCount: Int? {
    get { number(.fileCompletedCountKey)?.intValue }
    set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .fileCompletedCountKey) }
  }

  /// Bytes per second.
  public var throughput: Int? {
    get { number(.throughputKey)?.intValue }
    set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .throughputKey) }
  }

  /// The seconds that are left, by an estimate.
  public var estimatedTimeRemaining: TimeInterval? {
    get { number(.estimatedTimeRemainingKey)?.doubleValue }
    set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .estimatedTimeRemainingKey) }
  }

  /// A number, which code may also have set as one of Swift's.
  private func number(_ key: ProgressUserInfoKey) -> NSNumber? {
    switch userInfo[key] {
    case let number as NSNumber: number
    case let number as Int: NSNumber(value: number)
    case let number as Double: NSNumber(value: number)
    default: nil
    }
  }
}
