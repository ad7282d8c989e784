import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct ManualTests {
  @Test func `the manual names every command and every option that help does`() async throws {
    let bench = try Bench()

    #expect(await bench.run("manual") == 0)

    let page = bench.screen.output.replacing("\\-", with: "-")
    for command in ["download", "transfers watch", "new", "bundle", "run", "launch", "service install", "status"] {
      #expect(page.contains("\n.SS \"nightjar \(command)"), "\(command)")
    }
    for option in ["--header", "--output", "--json", "--home", "--purge", "--no-linger", "--nightjar", "--follow"] {
      #expect(page.contains("\\fB\(option)\\fR"), "\(option)")
    }
    #expect(!page.contains("complete"))
  }

  @Test func `the manual is to be had as JSON, too`() async throws {
    let (plain, json) = (try Bench(), try Bench())

    #expect(await plain.run("manual") == 0)
    #expect(await json.run("manual", "--json") == 0)

    let document = try JSONDecoder().decode([String: String].self, from: Data(json.screen.output.utf8))
    #expect(document["manual"].map { $0 + "\n" } == plain.screen.output)
  }

  @Test func `the examples and the exit statuses stand line by line, as in help`() async throws {
    let bench = try Bench()

    #expect(await bench.run("manual") == 0)

    let page = bench.screen.output.replacing("\\-", with: "-")
    #expect(page.contains(".nf\n  nightjar download https://example.com/big.iso    Ctrl-C"))
    #expect(page.contains("  130  interrupted by Ctrl-C\n  143  asked to end (SIGTERM)\n.fi\n"))
    #expect(page.split(separator: "\n").count { $0 == ".nf" } == page.split(separator: "\n").count { $0 == ".fi" })
  }

  @Test(
    .enabled(if: access("/usr/bin/groff", X_OK) == 0, "groff is not installed"),
    arguments: ["nightjar.1", "nightjard.8"])
  func `roff finds nothing wrong with a page`(name: String) async throws {
    let bench = try Bench()
    if name == "nightjar.1" {
      #expect(await bench.run("manual") == 0)
      try bench.write(bench.screen.output, to: name)
    } else {
      let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/\(name)")
      try bench.write(String(contentsOf: docs, encoding: .utf8), to: name)
    }

    let status = system(
      "cd \(bench.folder) && groff -man -Tutf8 -ww \(name) >page 2>said && test -s page && test ! -s said")

    let said = FileManager.default.contents(atPath: bench.folder + "/said") ?? Data()
    #expect(status == 0, "it said: \(String(decoding: said, as: UTF8.self))")
  }

  @Test func `the shell is told the apps and transfers that there are, and nothing without a daemon`() async throws {
    let bench = try Bench()
    #expect(await bench.run("complete", "apps") == 0)
    #expect(bench.screen.output.isEmpty && bench.screen.errors.isEmpty)
    let daemon = try TestDaemon(bench.socket) { state in
      state.apps = [.init(id: "dev.a", name: "A", state: .notRunning, transfers: 0, waiting: 0)]
      state.transfers = [
        7: .init(
          id: 7, app: "dev.a", direction: .download, url: "http://h/7", label: "", state: .queued, count: 0,
          attempts: 0,
          verdict: "")
      ]
    }

    #expect(await bench.run("complete", "apps") == 0)
    #expect(await bench.run("complete", "transfers") == 0)

    #expect(bench.screen.output == "dev.a\n7\n")
    daemon.stop()
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `completions ask for apps and transfers`(shell: String) async throws {
    let bench = try Bench()

    #expect(await bench.run("--generate-completion-script", shell) == 0)
    #expect(bench.screen.output.contains("nightjar complete apps"))
    #expect(bench.screen.output.contains("nightjar complete transfers"))
  }

  @Test(.enabled(if: access("/bin/bash", X_OK) == 0, "bash is not installed"))
  func `bash takes the completions`() async throws {
    let bench = try Bench()
    #expect(await bench.run("--generate-completion-script", "bash") == 0)
    try bench.write(bench.screen.output, to: "completions")

    #expect(system("bash -n \(bench.folder)/completions") == 0)
  }
}
