import Foundation
import Logging
import NightjarModel
import NightjarPlatform
import Synchronization
import Testing

@testable import NightjarCore
@testable import NightjarDaemon
@testable import NightjarTransfer

/// What lies on the disk while bundles are installed.
@Suite final class InstallerTests {
  private let mailbox = Mailbox()
  private let folder = "/tmp/nightjar-installer-\(UInt64.random(in: 0 ..< .max))"
  private let home: Home
  private let ends = Ends()

  init() throws {
    home = try Home(environment: ["NIGHTJAR_HOME": folder + "/home"])
    try home.prepare()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What waits for the ends of apps.
  private final class Ends: Sendable {
    private let awaiting = Mutex<[@Sendable () -> Void]>([])
    func add(_ act: @escaping @Sendable () -> Void) { awaiting.withLock { $0.append(act) } }
    func come() { awaiting.withLock { $0 }.forEach { $0() } }
  }

  @Test func `an app that is upgraded finds its former bundle until it has ended`() throws {
    let (installer, source) = (installer(), try bundle())
    for number: UInt64 in 1...2 {
      installer.install(source, Ticket(number)) { [mailbox] error in
        Issue.record("refused: \(error.detail)")
        mailbox.finish()
      }
      _ = mailbox.take()  // It is told that the bundle is installed.
    }
    installer.finish()

    let whileItRuns = try names()
    ends.come()
    installer.finish()

    #expect(whileItRuns.count == 2 && whileItRuns.contains("dev.test.App"))
    #expect(try names() == ["dev.test.App"])
  }

  private func installer() -> BundleInstaller {
    BundleInstaller(
      library: AppLibrary(home: home), fileSystems: FileSystems(home: "/tmp", list: "/proc/self/mountinfo"),
      patience: .seconds(10), mailbox: mailbox, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { [ends] in ends.add($1) }
  }

  /// What lies where apps are installed.
  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: home.apps) }

  /// Makes a bundle that can be installed.
  private func bundle() throws -> String {
    let path = folder + "/Test.app"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let info = ["CFBundleIdentifier": "dev.test.App", "CFBundleExecutable": "run"]
    try PropertyListEncoder().encode(info).write(to: URL(fileURLWithPath: path + "/Info.plist"))
    let isMade = FileManager.default.createFile(
      atPath: path + "/run", contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: 0o755])
    try #require(isMade)
    return path
  }
}
