import Foundation
import Patience
import Subprocess
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ServerToolTests {
  @Test func `the tool names its port, serves its seeds, and ends well on SIGTERM`() async throws {
    try await withFolder { folder in
      let options = ["--seed", "2", "--seed-size", "5000", "--port-file", folder + "/port"]
      let status = try await withTool(folder, options) { port, process in
        let written = try String(contentsOfFile: folder + "/port", encoding: .utf8)
        #expect(written == "\(port)\n")
        let list = try await CurlAnswer.of(["http://127.0.0.1:\(port)/videos"])
        #expect((try list.json["videos"] as? [Any])?.count == 2)
        try process.send(signal: .terminate)
      }

      #expect(status == .exited(0))
    }
  }

  @Test func `a server that is killed in the middle of an upload shows nothing of it`() async throws {
    try await withFolder { folder in
      let seed = ["--seed", "1", "--seed-size", "1000"]
      var page = ""
      _ = try await withTool(folder, seed) { port, process in
        let list = try await CurlAnswer.of(["http://127.0.0.1:\(port)/videos"])
        page = "/videos/\((try list.json["videos"] as? [[String: Any]])?.first?["id"] as? String ?? "")"
        let connection = try RawConnection(port: port)
        try connection.send("PUT \(page)/movie HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n".utf8)
        try connection.send(movieBytes(600_000))
        try await fileAppears(in: folder + "/data/incoming")
        try process.send(signal: .kill)
      }

      let status = try await withTool(folder, seed) { port, process in
        let movie = try await CurlAnswer.of(["http://127.0.0.1:\(port)\(page)/movie"])
        #expect(movie.status == 200)
        #expect(movie.body.count == 1000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/data/incoming") == [])
        try process.send(signal: .terminate)
      }
      #expect(status == .exited(0))
    }
  }

  @Test(arguments: [["--rate", "0"], ["--port", "70000"], ["--seed", "-1"]])
  func `a setting that makes no sense is refused with a sentence`(options: [String]) async throws {
    try await withFolder { folder in
      let result = try await run(
        .path(tool), arguments: Arguments(["--data", folder + "/data"] + options), output: .discarded,
        error: .string(limit: 10_000))

      #expect(!result.terminationStatus.isSuccess)
      #expect(result.standardError.contains("Error: "))
      #expect(!FileManager.default.fileExists(atPath: folder + "/data"))
    }
  }

  @Test func `a port that somebody else has is named, and how to name another`() async throws {
    try await withFolder { folder in
      _ = try await withTool(folder, []) { port, process in
        let second = try await run(
          .path(tool), arguments: ["--data", folder + "/second", "--port", "\(port)"], output: .discarded,
          error: .string(limit: 10_000))

        #expect(second.terminationStatus == .exited(1))
        #expect(second.standardError.contains("port \(port) of 127.0.0.1 cannot be had: Address already in use"))
        #expect(second.standardError.contains("--port"))
        try process.send(signal: .terminate)
      }
    }
  }

  @Test func `a folder that cannot be made is named with the system's words`() async throws {
    let result = try await run(
      .path(tool), arguments: ["--data", "/proc/x"], output: .discarded, error: .string(limit: 10_000))

    let words = "cannot use the folder /proc/x: cannot make the folder /proc/x/incoming: No such file or directory\n"
    #expect(result.standardError.hasSuffix(words), "\(result.standardError)")
  }

  /// The tool that was built beside this test.
  private var tool: FilePath {
    let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return FilePath(URL(filePath: test).deletingLastPathComponent().path + "/videofarm-server")
  }

  private func withTool(
    _ folder: String, _ options: [String],
    _ body: (Int, Execution<NoInput, SequenceOutput, DiscardedOutput>) async throws -> Void
  ) async throws -> TerminationStatus {
    try await run(
      .path(tool), arguments: Arguments(["--data", folder + "/data"] + options), input: .none, output: .sequence,
      error: .discarded
    ) { process in
      for try await line in process.standardOutput.strings() {
        guard line.hasPrefix("listening on 127.0.0.1:") else { continue }
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) })
        try await body(port, process)
      }
    }.terminationStatus
  }

  /// Returns once a file of at least one chunk lies in `folder`.
  private func fileAppears(in folder: String) async throws {
    try await eventually("the chunk is there") {
      try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
        let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return (facts[.size] as? Int ?? 0) > 0
      }
    }
  }
}
