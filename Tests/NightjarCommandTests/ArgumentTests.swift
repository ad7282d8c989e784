import FoundationEssentials
import NightjarCommand
import NightjarModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct ArgumentTests {
  @Test func `a socket that is named relative to the working folder is found there`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    let surroundings = bench.surroundings(environment: ["NIGHTJAR_SOCKET": "./nightjar.sock"])

    let status = await Program.run(["apps"], in: surroundings)

    #expect(status == 0, "\(bench.screen.errors)")
    daemon.stop()
  }

  @Test func `a name that is not UTF-8 is refused, and not taken for another`() async throws {
    let bench = try Bench()
    let words = ["upload", "r\u{FFFD}sum.txt", "http://h/x"].map { Array($0.utf8) }
    let latin = Array("r".utf8) + [0xE9] + Array("sum.txt".utf8)

    let refused = await Program.run(bytes: [words[0], latin, words[2]], in: bench.surroundings())
    let errors = bench.screen.errors
    _ = await Program.run(bytes: words + [Array("--no-such-option".utf8)], in: bench.surroundings())

    #expect(refused == 2)
    #expect(errors == "nightjar: 'r\u{FFFD}sum.txt' is not UTF-8, as all names have to be; rename the file\n")
    #expect(bench.screen.errors.contains("--no-such-option"))
  }

  @Test(arguments: [
    (["download", "ftp://h/x"], "only http: and https:"), (["download", "example.com/x"], "is no URL"),
    (["download", "http://[::1/x"], "an IPv6 address stands between"),
    (["download", "http:///x"], "names no host"), (["download"], "Missing expected argument"),
    (["download", "http://a b/x"], "no space"), (["download", "http://h/a\nb"], "control characters"),
    (["download", " http://h/x"], "is no URL"), (["download", "http://h:65536/x"], "no number from 1 to 65535"),
    (["download", "http://me:secret@h:0/x"], "'http://h:0/x' cannot be used: its port"),
    (["download", "1http://me:secret@h/x"], "'1http://h/x' is no URL"),
    (["download", "https//me:secret@h/x"], "'…h/x' is no URL"),
    (["download", "me:secret@h/x"], "'me:…h/x' cannot be transferred"),
    (["download", "http:/me:secret@h/x"], "'http:…h/x' names no host"),
    (["download", "https://[::1]:http?x"], "its port is no number"),
    (["upload", "/f", "http://h:+80/x"], "its port is no number"),
    (["download", "http://h/x", "--proxy", "http://h:65536"], "its port is no number from 1 to 65535"),
    (["download", "http://h/x", "--proxy", "socks5://a:b@h:port"], "its port is no number"),
    (["download", "http://h/x", "--proxy", "http://a b"], "no space"),
    (["download", "http://h/x", "--proxy", "http://:80"], "names no host"),
    (["download", "http://h/x", "-H", "nocolon"], "is no header field"),
    (["download", "http://h/x", "-H", "A B: c"], "cannot be a header field's name"),
    (["download", "http://h/x", "-H", "A: b\r\nC: d"], "control characters"),
    (["download", "http://h/x", "-H", "Host: i"], "'Host' belongs to the connection"),
    (["download", "http://h/x", "-H", "A: b", "-H", "content-length:1"], "'content-length' belongs"),
    (["upload", "/f", "http://h/x", "-H", "Proxy-Authorization: x"], "'Proxy-Authorization' belongs"),
    (["download", "http://h/x", "--checksum", "sha256:12"], "is no checksum"),
    (["download", "http://h/x", "http://h/y", "--checksum", "md5:900150983cd24fb0d6963f7d28e17f72"], "for one URL"),
    (["download", "http://h/x", "--limit-rate", "fast"], "--limit-rate"),
    (["download", "http://h/x", "--limit-rate", "9999999999G"], "--limit-rate"),
    (["download", "http://h/x", "--proxy", "h:1"], "is no proxy"),
    (["download", "http://h/x", "--proxy", "NONE"], "'NONE' is no proxy"),
    (["download", "http://h/x", "--proxy", "me:secret@h:1"], "'…h:1' is no proxy"),
    (["download", "http://h/x", "--proxy", "ftp://a:b@h:1"], "'…h:1' is no proxy"),
    (["upload", "", "http://h/x"], "The file's name is empty"),
    (["download", "http://h/x", "--not-before", "9999-12-31 23:59"], "'9999-12-31 23:59' is too far away"),
    (["download", "http://h/x", "--not-before", "1969-01-01 23:59"], "between 1970 and 2200"),
    (["upload", "none", "http://h/x"], "There is no file none"),
    (["upload", "none", "http://h/x", "--method", "put it"], "is no HTTP method"),
    (["transfers", "show", "x"], "is no transfer"), (["why", "0"], "is no transfer"),
    (["why", "no such"], "cannot be an app"), (["transfers", "pause", "0"], "is no transfer"),
    (["transfers", "cancel"], "Missing expected argument"), (["launch", "../x"], "cannot be an app"),
    (["transfers", "--app", "a b"], "cannot be an app"), (["log", "a", "-n", "-1"], "-n"),
    (["install", "none.app"], "There is no bundle none.app"),
    (["fly"], "There is no command 'fly'; `nightjar --help` lists all."),
    (["--json", "--home", "x", "dowload", "http://h/x"], "no command 'dowload'; did you mean download?"),
    (["help", "transfers", "pauze"], "no command 'pauze'; did you mean pause?"), (["help", "foo"], "no command 'foo'"),
    (["launch", "dev.a", "pause", "all"], "after --, as in: nightjar launch dev.a -- pause all\n"),
    (["install", ""], "path is empty"), (["download", "http://h/x", "-o", ""], "--output is empty"),
    (["download", "http://h/x", "-o", "-"], "./- if it is to be called -"),
    (["download", "file:///etc/passwd"], "only http: and https:"),
    (["--home", "", "status"], "--home is empty"),
    (["service", "uninstall", "--purge", "--home", ""], "--home is empty"),
    (["download", "--home=", "http://h/x", "http://h/y"], "nightjar: --home= has nothing after its equals sign"),
    (["download", "--user=", "http://h/x"], "--user= has nothing"),
    (["download", "http://h/x", "--force="], "--force= has nothing"),
    (["download", "http://h/x", "--header=", "http://h/y"], "--header= has nothing"),
    (["--home=", "status"], "--home= has nothing"),
    (["capabilities", "/proc"], "nightjar: /proc is not called Name.app"),
    (["capabilities", ""], "Name an installed app, or the path of a bundle."),
    (["history", "a", "-n", "0"], "1 or more"), (["fetch", "log", "-n", "0"], "1 or more"),
  ])
  func `what cannot be used is named, with status 2`(arguments: [String], message: String) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings()) == 2)
    #expect(bench.screen.errors.contains(message))
    #expect(bench.screen.output.isEmpty)
  }

  @Test(arguments: [
    ["bundle", "--files", ""], ["run", "--package-path", ""], ["new", "HelloThere", "--nightjar", ""],
    ["bundle", "--output", ""], ["simulate", "commuter", "--picture", ""], ["backtest", "a.tsv", "--picture", ""],
    ["download", "http://h/x", "--user", "anna", "--password-file", ""],
  ])
  func `an empty path is refused, and not taken for this folder`(arguments: [String]) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings()) == 2)
    #expect(bench.screen.errors.contains("\(arguments[arguments.count - 2]) is empty; name a f"))
  }

  @Test func `what an app is given may end with an equals sign`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    #expect(await bench.run("launch", "dev.a", "--", "--city=") == 0, "\(bench.screen.errors)")
    #expect(daemon.read { $0.deeds } == ["launch dev.a [\"--city=\"]"])
    daemon.stop()
  }

  @Test(arguments: [
    ["download", "ftp://x\u{1b}]0;t\u{7}"], ["status", "--none\u{1b}[31m"], ["status", "one\r\u{9b}2K\u{202e}two"],
  ])
  func `what was typed moves nothing on the terminal when it is refused`(arguments: [String]) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings()) == 2)

    let lines = bench.screen.errors.split(separator: "\n")
    #expect(lines.count > 1)  // How it is meant stands in lines of its own.
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { !$0.isActedOn } }, "\(lines)")
  }

  @Test(arguments: [
    (["NIGHTJAR_HOME": "here"], "set NIGHTJAR_HOME to one\n"), (["HOME": "here"], "set HOME or NIGHTJAR_HOME to one\n"),
  ])
  func `a home that is no absolute path is refused with the way out`(
    environment: [String: String], words: String
  ) async throws {
    let bench = try Bench()

    #expect(await Program.run(["transfers"], in: bench.surroundings(environment: environment)) == 2)
    #expect(bench.screen.errors.hasSuffix(words), "\(bench.screen.errors)")
  }

  @Test(arguments: [
    ["manual"], ["simulate", "--list"], ["simulate", "commuter", "--days", "1"],
    ["service", "print", "nightjar.service"], ["new", "HelloThere", "--nightjar", "https://h/nightjar.git"],
  ])
  func `what asks no daemon needs no home`(arguments: [String]) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings(environment: [:])) == 0, "\(bench.screen.errors)")
    #expect(bench.screen.errors.isEmpty)
  }

  @Test(arguments: [["run"], ["download", "http://h/x", "--user", "anna"]])
  func `a home that is missing is told before anything is built or typed`(arguments: [String]) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings(environment: [:])) == 2)
    #expect(bench.screen.errors.contains("or NIGHTJAR_HOME to one\n"), "\(bench.screen.errors)")
  }

  @Test(arguments: [["help"], ["help", "transfers", "pause"]])
  func `help is had with every command`(arguments: [String]) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings()) == 0)
    #expect(bench.screen.output.contains("USAGE: nightjar"))
  }

  @Test func `help tells the exit statuses and how to get completions`() async throws {
    let bench = try Bench()

    #expect(await bench.run("--help") == 0)
    for status in ExitStatus.allCases { #expect(bench.screen.output.contains("  \(status.rawValue)  ")) }
    #expect(bench.screen.output.contains("--generate-completion-script"))
    #expect(bench.screen.errors.isEmpty)
  }

  @Test func `the first examples stand each in one line of a common terminal`() async throws {
    let bench = try Bench()

    #expect(await bench.run("--help") == 0)

    let examples = bench.screen.output.split(separator: "\n").filter { $0.hasPrefix("  nightjar ") }
    #expect(examples.count == 4)
    #expect(examples.allSatisfy { $0.count <= 80 && $0.contains("   ") }, "\(examples)")
  }

  @Test func `each exit status stands in one line of a common terminal`() async throws {
    let bench = try Bench()

    #expect(await bench.run("--help") == 0)

    let lines = bench.screen.output.split(separator: "\n").drop { !$0.hasPrefix("Exit status") }
    let table = lines.dropFirst().prefix(ExitStatus.allCases.count)
    #expect(table.count == ExitStatus.allCases.count)
    #expect(table.allSatisfy { $0.hasPrefix("  ") && $0.count <= 80 }, "\(table)")
  }

  @Test func `no help breaks off in the middle of a sentence`() async throws {
    struct Help: Decodable {
      struct Command: Decodable { var commandName: String, discussion: String?, subcommands: [Command]? }
      var command: Command
    }
    func texts(_ command: Help.Command) -> [String] {
      [command.discussion ?? ""] + (command.subcommands ?? []).flatMap(texts)
    }
    let bench = try Bench()
    #expect(await bench.run("--experimental-dump-help") == 0)
    let help = try JSONDecoder().decode(Help.self, from: Data(bench.screen.output.utf8))

    let lines = texts(help.command).flatMap { $0.split(separator: "\n") }

    #expect(lines.count > 20)
    #expect(lines.filter { $0.first?.isLowercase == true } == [])
  }

  @Test func `the version is one line`() async throws {
    let bench = try Bench()

    #expect(await bench.run("--version") == 0)
    #expect(bench.screen.output == Version.current + "\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `there are completions for every shell`(shell: String) async throws {
    let bench = try Bench()

    #expect(await bench.run("--generate-completion-script", shell) == 0)
    #expect(bench.screen.output.contains("download"))
  }

  @Test(arguments: [
    ["apps"], ["status"], ["transfers"], ["transfers", "watch"], ["why", "1"], ["launch", "a"], ["log", "a"],
    ["download", "http://h/x", "--no-start"],
  ])
  func `without a daemon the status is 3, and the way out is told`(arguments: [String]) async throws {
    let bench = try Bench()

    #expect(await Program.run(arguments, in: bench.surroundings()) == 3)
    #expect(bench.screen.errors.contains(bench.socket))
    #expect(bench.screen.errors.contains("NIGHTJAR_SOCKET names this socket"))
  }

  @Test(arguments: [("a b", "nightjard --home 'FOLDER/a b'"), ("ab", "nightjard --home FOLDER/ab")])
  func `the command that would start a daemon is told with its home`(home: String, words: String) async throws {
    let bench = try Bench()

    #expect(await bench.run("status", "--home", home) == 3)

    let command = words.replacing("FOLDER", with: bench.folder)
    #expect(bench.screen.errors.contains("Start it with `\(command)`, then"), "\(bench.screen.errors)")
  }
}
