import Foundation
import TestThreads
import Testing

@testable import NightjarCommand

@Suite(.blocking) struct DetachedProcessTests {
  @Test(arguments: [true, false])
  func `a log that has grown too long is begun anew at a start`(isLong: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nightjar-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = folder + "/log"
    try Data("old\n".utf8).write(to: URL(filePath: log))
    if isLong { truncate(log, 8 << 20 + 1) }

    let process = try DetachedProcess("/bin/sh", ["-c", "echo new"], environment: [:], log: log)
    waitpid(process.id, nil, 0)

    #expect(try String(contentsOfFile: log, encoding: .utf8) == (isLong ? "new\n" : "old\nnew\n"))
    #expect(FileManager.default.fileExists(atPath: log + ".1") == isLong)
  }
}
