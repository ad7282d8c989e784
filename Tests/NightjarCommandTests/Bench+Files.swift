import FoundationEssentials

extension Bench {
  /// Makes folders, with those that they lie in.
  func folders(_ names: String...) throws {
    for name in names {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
  }

  /// The text of a file; nil if there is none.
  func text(of name: String) -> String? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// What a folder holds, sorted.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []).sorted()
  }
}
