import ArgumentParser
import Foundation
import Nightjar

/// Downloads through the public interface, as a program that links the library does.
@main
struct FilesBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files-bench", abstract: "Downloads through a background session, and says how long it took.",
    subcommands: [ManyFiles.self, TellingDelay.self])
}

/// Many small files, each a task of its own: queued, moved, synced, told, and put in its place by the delegate.
struct ManyFiles: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "many")

  @Option(help: "A file with one URL on each line.") var list: String
  @Option(help: "The folder for the files, which must exist.") var into: String
  @Option(help: "How many at a time.") var parallel = 16

  func run() throws {
    let urls = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").compactMap {
      URL(string: String($0))
    }
    NightjarProgram.register(name: "dev.nightjar.files-bench")
    let collector = Collector(count: urls.count, folder: URL(fileURLWithPath: into, isDirectory: true))
    let clock = ContinuousClock()
    let start = clock.now
    let configuration = URLSessionConfiguration.background(withIdentifier: "many")
    configuration.httpMaximumConnectionsPerHost = parallel
    let session = URLSession(
      configuration: configuration, delegate: collector, delegateQueue: nil)
    for url in urls {
      let task = session.downloadTask(with: url)
      task.taskDescription = url.lastPathComponent
      task.resume()
    }
    let queued = clock.now - start
    collector.done.wait()
    let told = clock.now - start
    print("\(urls.count) files: queued after \(queued.seconds) s, all told after \(told.seconds) s")
    if collector.failures > 0 {
      print("\(collector.failures) failed; the first: \(collector.firstFailure)")
      throw ExitCode.failure
    }
  }
}

/// From the last byte leaving the server to the delegate's call, one small file after the other.
struct TellingDelay: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "delay")

  @Option(help: "How many files.") var count = 500

  func run() throws {
    NightjarProgram.register(name: "dev.nightjar.delay-bench")
    let server = try OneFileServer(size: 16_384)
    let collector = Collector(count: .max, folder: nil)
    let session = URLSession(
      configuration: .background(withIdentifier: "delay"), delegate: collector, delegateQueue: nil)
    var delays: [Duration] = []
    for number in 1...count {
      session.downloadTask(with: URL(string: "http://127.0.0.1:\(server.port)/\(number)")!).resume()
      collector.finished.wait()
      delays.append(collector.finishedAt - server.sentAt)
    }
    delays.sort()
    let shown = [50, 90, 99].map { "p\($0) \(delays[(delays.count - 1) * $0 / 100].seconds * 1000) ms" }
    print("last byte sent to delegate called, \(count) files of 16 KiB: \(shown.joined(separator: ", "))")
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
