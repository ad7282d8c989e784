import Foundation
import FoundationXML
import Glibc
import NightjarCommand
import TestThreads
import Testing

@Suite(.computing) struct SimulateTests {
  @Test func `the scenarios that need no file are listed, and each can be played`() async throws {
    let bench = try Bench()
    #expect(await bench.run("simulate", "--list", "--json") == 0)
    struct Listed: Decodable {
      var name: String, days: Int, about: String
    }
    let listed = try JSONDecoder().decode([Listed].self, from: Data(bench.screen.output.utf8))

    #expect(listed.count >= 6)
    for scenario in listed { #expect(await bench.run("simulate", scenario.name, "--days", "2") == 0) }
  }

  @Test func `the same scenario and seed give the same bytes, and another seed others`() async throws {
    let (one, other, third) = (try Bench(), try Bench(), try Bench())

    #expect(await one.run("simulate", "commuter", "--days", "3", "--json", "--seed", "7") == 0)
    #expect(await other.run("simulate", "commuter", "--days", "3", "--json", "--seed", "7") == 0)
    #expect(await third.run("simulate", "commuter", "--days", "3", "--json", "--seed", "8") == 0)

    #expect(one.screen.output == other.screen.output)
    #expect(one.screen.output != third.screen.output)
  }

  @Test func `a picture is drawn, well formed and without scripts`() async throws {
    let bench = try Bench()

    #expect(await bench.run("simulate", "flaky-network", "--days", "3", "--picture", "flaky.svg") == 0)

    let file = try #require(FileManager.default.contents(atPath: bench.folder + "/flaky.svg"))
    #expect(XMLParser(data: file).parse())
    let text = String(decoding: file, as: UTF8.self)
    #expect(text.contains("Maps") && !text.contains("<script"))
    #expect(bench.screen.output.contains("Drew flaky.svg."))
  }

  @Test(arguments: ["pipe", "link"])
  func `a picture is drawn into what is no ordinary file, and does not take its place`(name: String) async throws {
    let bench = try Bench()
    let (pipe, link) = (bench.folder + "/pipe", bench.folder + "/link")
    try #require(mkfifo(pipe, 0o600) == 0 && symlink(pipe, link) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }

    #expect(await bench.run("simulate", "commuter", "--days", "1", "--picture", name) == 0)

    var (piped, linked) = (stat(), stat())
    #expect(lstat(pipe, &piped) == 0 && piped.st_mode & S_IFMT == S_IFIFO)
    #expect(lstat(link, &linked) == 0 && linked.st_mode & S_IFMT == S_IFLNK)
    #expect(try FileHandle(fileDescriptor: reader).read(upToCount: 4) == Data("<svg".utf8))
  }

  @Test func `a picture whose folder is missing is refused before anything is played`() async throws {
    let bench = try Bench()

    #expect(await bench.run("simulate", "commuter", "--days", "2", "--picture", "no/such/folder.svg") == 2)

    #expect(bench.screen.output.isEmpty)
    #expect(bench.screen.errors.contains("There is no folder \(bench.folder)/no/such/ for the picture"))
  }

  @Test func `a picture that does not fit is said to be so in words, and takes nothing from the result`() async throws {
    let bench = try Bench()

    #expect(await bench.run("simulate", "commuter", "--days", "2", "--picture", "/dev/full") == 1)

    #expect(bench.screen.output.contains("fetches joined others."))
    #expect(bench.screen.errors.contains("Cannot write the picture '/dev/full': No space left on device. Name another"))
  }

  @Test func `what comes through a pipe is played`() async throws {
    let bench = try Bench()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let text = Array("days 3\nopens Mail at 09:00\n".utf8)
    try #require(write(ends[1], text, text.count) == text.count)
    close(ends[1])

    #expect(await bench.run("simulate", "/dev/fd/\(ends[0])") == 0)

    #expect(bench.screen.output.contains(": 3 days, seed 1."))
  }

  @Test(arguments: [
    (".", "'.' is a folder"), ("nowhere", "There is no scenario and no file 'nowhere'"),
    ("file/x", "'file/x' cannot be read: Not a directory."),
  ])
  func `what cannot be played is called what it is`(name: String, words: String) async throws {
    let bench = try Bench()
    try bench.write("days 3\n", to: "file")

    #expect(await bench.run("simulate", name) == 2)

    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
  }

  @Test(arguments: ["", "\u{FEFF}"])
  func `a file is played, as sentences and as JSON, also with a byte order mark`(mark: String) async throws {
    let bench = try Bench()
    try bench.write(mark + "days 3\nopens Mail at 09:00\nfetch now Mail at 12:00\n", to: "mine.txt")
    try bench.write(mark + #"{"title": "Mine", "days": 3, "lines": ["opens Mail at 09:00"]}"#, to: "mine.json")

    #expect(await bench.run("simulate", "mine.txt") == 0)
    #expect(await bench.run("simulate", "mine.json") == 0)

    #expect(bench.screen.output.contains("mine.txt: 3 days, seed 1."))
    #expect(bench.screen.output.contains("Mine: 3 days, seed 1."))
  }

  @Test func `title and remarks of a JSON document may have any sign in them`() async throws {
    let bench = try Bench()
    try bench.write(
      ##"{"title": "Week #2, 5\"", "about": "", "days": 1, "lines": ["opens Mail at 09:00"]}"##, to: "mine.json")

    #expect(await bench.run("simulate", "mine.json") == 0)

    #expect(bench.screen.output.contains("Week #2, 5”: 1 day, seed 1."), "\(bench.screen.output)")
  }

  @Test func `shares of no visits at all are left out, and a dash in the table`() async throws {
    let (bench, other) = (try Bench(), try Bench())
    for bench in [bench, other] { try bench.write("days 1\nopens Mail at 09:00\nMail never fetches\n", to: "mine.txt") }

    #expect(await bench.run("simulate", "mine.txt", "--json") == 0)
    #expect(await other.run("simulate", "mine.txt") == 0)

    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(bench.screen.output.utf8)) as? [String: Any])
    let total = try #require(report["total"] as? [String: Any])
    let shares = ["fresh15", "fresh30", "fresh60", "newest", "age_median_minutes"]
    #expect(total["visits"] as? Int == 1)
    #expect(shares.filter { total[$0] != nil } == [])
    let row = try #require(other.screen.output.split(separator: "\n").first { $0.hasPrefix("Mail") })
    #expect(row.split(separator: " ").prefix(4).map(String.init) == ["Mail", "1", "-", "-"])
  }

  @Test func `a line that makes no sense is named with its file, and nothing is drawn`() async throws {
    let bench = try Bench()
    try bench.write("days 3\n\nopens Mail at half past nine\n", to: "bad.txt")

    #expect(await bench.run("simulate", "bad.txt", "--picture", "bad.svg") == 2)

    #expect(bench.screen.errors.contains("bad.txt, line 3: 'half' is no time of day"))
    #expect(!FileManager.default.fileExists(atPath: bench.folder + "/bad.svg"))
  }

  @Test(arguments: [
    (#"{"days": 0, "lines": ["opens Mail at 09:00"]}"#, "bad.json, key 'days': '0' is no number of days"),
    (#"{"title": "Mine", "starts": "soon", "lines": ["opens Mail at 09:00"]}"#, "bad.json, key 'starts': 'soon'"),
    (#"{"days": 3, "lines": ["opens Mail at noon"]}"#, "bad.json, line 1: 'noon' is no time of day"),
    (
      #"{"lines": ["opens Mail at 09:00", "opens \"Ma\u0001il\" at 09:00"]}"#,
      "bad.json, line 2: a name has the control character U+0001"
    ),
  ])
  func `what makes no sense in a JSON document is named by its key, or its line`(
    text: String, words: String
  ) async throws {
    let bench = try Bench()
    try bench.write(text, to: "bad.json")

    #expect(await bench.run("simulate", "bad.json") == 2)

    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
  }

  @Test(arguments: [
    (["simulate", "no-such"], Int32(2), "There is no scenario and no file 'no-such'. Scenarios are: commuter"),
    (["simulate"], 2, "Name a scenario"),
    (["simulate", "commuter", "--days", "0"], 2, "--days is 0; it must be from 1 to 3660."),
    (["simulate", "commuter", "--days", "2", "--picture", "/dev/full"], 1, "Cannot write the picture"),
    (["simulate", "broken.json"], 2, "is JSON, and not a scenario"),
    (["simulate", "commuter", "--text", "--days", "3"], 2, "--text plays nothing, so it goes without --days."),
    (["simulate", "--list", "--seed", "1", "--picture", "a.svg"], 2, "goes without --seed and --picture."),
    (["simulate", "--list", "commuter"], 2, "without the name of one"),
  ])
  func `what cannot be done is said, with what to do`(arguments: [String], status: Int32, words: String) async throws {
    let bench = try Bench()
    try bench.write("{}", to: "broken.json")

    let ended = await Program.run(arguments, in: bench.surroundings())

    #expect(ended == status)
    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
  }

  @Test(arguments: [(true, "#\t\\u{1b}[31m\n\n"), (false, "#\t\u{1b}[31m\n\n")])
  func `a terminal is safe from the text of a scenario, and a file has it as it is`(
    isTerminal: Bool, text: String
  ) async throws {
    let bench = try Bench()
    try bench.write("#\t\u{1b}[31m\n", to: "mine.txt")

    #expect(await bench.run("simulate", "mine.txt", "--text", isTerminal: isTerminal) == 0)

    #expect(bench.screen.output == text)
  }

  @Test func `the text of a scenario can be taken as a beginning`() async throws {
    let bench = try Bench()

    #expect(await bench.run("simulate", "weekend", "--text") == 0)
    try bench.write(bench.screen.output, to: "mine.txt")

    #expect(await bench.run("simulate", "mine.txt", "--days", "2") == 0)
  }
}
