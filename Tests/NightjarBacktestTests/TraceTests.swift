import CNightjarZlib
import Foundation
import Testing

@testable import NightjarBacktest

/// Reading recorded usage.
@Suite struct TraceTests {
  @Test func `a visit lasts until the next line and returns are no launches`() throws {
    let recording = try Recording()
    let path = try recording.file([
      Recording.header, "ann\t2027-01-01 08:00:00\tmail\tphone", "ann\t2027-01-01 08:01:00\tsys01\tphone",
      "ann\t2027-01-01 08:10:00\tmail\tphone", "ann\t2027-01-01 09:30:00\tmail\tphone",
    ])

    let diary = try Recording.read(path).diaries[0]

    #expect(diary.apps.map(\.launches) == [2])  // Back after nine minutes: a return. Gone after 15 minutes unseen.
    let kinds = diary.happenings.filter { $0.kind != .noticed }.map(\.kind)
    #expect(kinds == [.launchedAfterIdle, .left, .returned, .left, .launchedAfterIdle, .left])
    let left = diary.happenings.filter { $0.kind == .left }.map { $0.time % 86_400 }
    #expect(left == [28_860, 30_300, 35_100])
  }

  @Test func `the events of LSApp open and close`() throws {
    let recording = try Recording()
    let path = try recording.file([
      "user_id\tsession_id\ttimestamp\tapp_name\tevent_type", "7\t1\t2018-01-16 06:01:05\tGoogle Chrome\tOpened",
      "7\t1\t2018-01-16 06:01:06\tGoogle Chrome\tUser Interaction", "7\t1\t2018-01-16 06:03:05\tGoogle Chrome\tClosed",
      "7\t2\t2018-01-16 06:20:00\tPhone\tOpened", "7\t2\t2018-01-16 06:21:00\tPhone\tBroken",
    ])

    let diary = try Recording.read(path).diaries[0]

    #expect(diary.apps.map(\.name) == ["Google Chrome", "Phone"])
    let left = diary.happenings.filter { $0.kind == .left }.map { $0.time % 86_400 }
    #expect(left == [21_785, 22_860])
  }

  @Test func `the order of lines makes no difference, nor how many fit into memory`() throws {
    let recording = try Recording()
    let lines = Recording.lines()
    var dice = Dice(seed: 1)
    let shuffled = lines.map { (dice.next(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    let sorted = try recording.file([Recording.header] + lines, "sorted.tsv")
    let mixed = try recording.file([Recording.header] + shuffled, "mixed.tsv")

    let expected = try Recording.read(sorted)
    let found = try Recording.read(mixed)
    let spilled = try Recording.read(mixed, rowsMax: 37)

    #expect(expected.complaints.unsorted == 0)
    #expect(found.complaints.unsorted > 100)
    for other in [found, spilled] {
      #expect(other.diaries.map(\.user) == expected.diaries.map(\.user))
      #expect(other.diaries.map(Self.told) == expected.diaries.map(Self.told))
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a hundred thousand names within five minutes are read in a moment`() throws {
    let recording = try Recording()
    let lines = (0..<100_000).map { "ann\t2027-01-01 08:00:01\tapp\($0)\tphone" }

    let diary = try Recording.read(recording.file([Recording.header] + lines)).diaries[0]

    #expect(diary.apps.count == 100_000)
    #expect(diary.happenings.count { $0.kind == .launchedAfterIdle } == 1)
  }

  @Test(arguments: [RowSorter.rowsMax, 3])
  func `what happens in one second happens in the order of the lines`(rowsMax: Int) throws {
    let recording = try Recording()
    let path = try recording.file([
      Recording.header, "ann\t2027-01-01 08:00:00\tmail\tphone", "ann\t2027-01-01 08:05:00\tsys01\tphone",
      "ann\t2027-01-01 08:05:00\tapp05\tphone", "ann\t2027-01-01 08:05:00\tapp05\tphone",
      "ann\t2027-01-01 08:09:00\tsys01\tphone", "ann\t2027-01-01 07:50:00\tsys01\tphone",
    ])

    let diary = try Recording.read(path, rowsMax: rowsMax).diaries[0]

    let visits = diary.happenings.filter { $0.app == 1 }
    #expect(visits.map(\.kind) == [.launched, .left])
    #expect(visits.map { $0.time % 86_400 } == [29_100, 29_340])  // From five past eight to nine past.
  }

  @Test func `who goes from one app to another leaves the one and then opens the other`() throws {
    let recording = try Recording()
    let path = try recording.file([
      Recording.header, "ann\t2027-01-01 08:00:00\tmail\tphone", "ann\t2027-01-01 08:10:00\tnews\tphone",
      "ann\t2027-01-01 08:20:00\tmail\tphone", "ann\t2027-01-01 08:30:00\tsys01\tphone",
    ])

    let diary = try Recording.read(path).diaries[0]

    let steps = diary.happenings.filter { $0.kind != .noticed }.map { "\($0.kind) \(diary.apps[Int($0.app)].name)" }
    #expect(
      steps == [
        "launchedAfterIdle mail", "left mail", "launched news", "left news", "returned mail", "left mail",
      ])
  }

  private static func told(_ diary: Diary) -> [String] {
    diary.happenings.map { "\($0.time) \($0.app) \($0.kind)" } + diary.traffic.map { "\($0)" } + diary.apps.map(\.name)
  }

  @Test func `rubbish is left out, named by its line, and changes nothing`() throws {
    let recording = try Recording()
    let lines = Recording.lines()
    let rubbish = [
      "ann\tyesterday\tmail\tphone", "nothing", "ann\t2027-02-30 08:00:00\tmail\tphone", "\t2027-01-01 08:00:00\tx\ty",
      String(repeating: "x", count: 10_000), "\u{0}\u{1}\u{2}", "ann\t2027-01-01 25:00:00\tmail\tphone",
    ]
    let clean = try recording.file([Recording.header] + lines, "clean.tsv")
    let dirty = try recording.file([Recording.header, lines[0]] + rubbish + lines.dropFirst(), "dirty.tsv")

    let expected = try Recording.read(clean)
    let found = try Recording.read(dirty)

    #expect(found.diaries.map(Self.told) == expected.diaries.map(Self.told))
    #expect(found.complaints.count == rubbish.count)
    #expect(found.complaints.first.map(\.line) == [3, 4, 5, 6, 7])
    #expect(found.complaints.first[1].reason == "it has 1 columns rather than 4")
  }

  @Test func `quotes around fields are no part of them`() throws {
    let recording = try Recording()
    let lines = Recording.lines()
    let quoted = ([Recording.header] + lines).map { line in
      line.split(separator: "\t").map { "\"\($0)\"" }.joined(separator: "\t")
    }
    let half = quoted.enumerated().map { $0.isMultiple(of: 2) ? $1 : ([Recording.header] + lines)[$0] }
    let plain = try recording.file([Recording.header] + lines, "plain.tsv")

    let expected = try Recording.read(plain).diaries.map(Self.told)

    for text in [quoted, half] {
      #expect(try Recording.read(recording.file(text, "quoted.tsv")).diaries.map(Self.told) == expected)
    }
  }

  @Test(arguments: ["Z", "+01:00", ".123Z", "-0500", "+00"])
  func `a time with a zone is left out for that reason`(zone: String) throws {
    let recording = try Recording()
    let lines = Recording.lines() + ["ann\t2027-01-01T10:00:00\(zone)\tmail\tphone"]

    let complaints = try Recording.read(recording.file([Recording.header] + lines)).complaints

    #expect(complaints.first.map(\.line) == [lines.count + 1])
    #expect(complaints.first.first?.reason.hasPrefix("its timestamp has a zone") == true)
  }

  @Test func `a file that is mostly rubbish is refused, with the first line that is`() throws {
    let recording = try Recording()
    let path = try recording.file([Recording.header, "ann\t2027-01-01 08:00:00\tmail\tphone", "a", "b", "c"])

    let error = #expect(throws: TraceError.self) { try Recording.read(path) }

    #expect(error?.code == .damaged)
    #expect(error?.detail.contains("first line 3: it has 1 columns rather than 4") == true)
  }

  @Test(arguments: [
    "", "user\twhen\n", "\n\n", "user_id,timestamp,app_name,platform\n", "user_id\ttimestamp\tapp_name\n",
  ])
  func `a file without the columns is refused in words`(text: String) throws {
    let recording = try Recording()
    let path = try recording.file(text.utf8)

    let error = #expect(throws: TraceError.self) { try Recording.read(path) }

    #expect(error?.code == .damaged)
    #expect(error?.detail.contains(text.isEmpty ? "is empty" : "line 1 has to name the columns") == true)
  }

  @Test func `gzip is recognised in a pipe whose first byte comes alone`() throws {
    let recording = try Recording()
    let plain = try recording.file([Recording.header] + Recording.lines())
    let packed = Self.gzip(Array(try Data(contentsOf: URL(filePath: plain))))
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    #expect(fcntl(ends[1], F_SETFL, Self.packets) == 0)
    defer { close(ends[0]) }
    for part in [packed.prefix(1), packed.dropFirst()] {
      #expect(part.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) } == part.count)
    }
    close(ends[1])

    let found = try Recording.read("/proc/self/fd/\(ends[0])")

    #expect(found.diaries.map(Self.told) == (try Recording.read(plain).diaries.map(Self.told)))
  }

  @Test func `gzip is unpacked, in several members too`() throws {
    let recording = try Recording()
    let lines = Recording.lines()
    let text = ([Recording.header] + lines).joined(separator: "\n") + "\n"
    let half = text.utf8.count / 2
    let packed = Self.gzip(Array(text.utf8.prefix(half))) + Self.gzip(Array(text.utf8.dropFirst(half))) + [0, 0, 0]
    let plain = try recording.file(text.utf8, "plain.tsv")
    let path = try recording.file(packed, "packed.tsv.gz")

    let found = try Recording.read(path)

    #expect(found.diaries.map(Self.told) == (try Recording.read(plain).diaries.map(Self.told)))
  }

  @Test(arguments: [1, 5, 20, 300])
  func `gzip that is cut is refused, wherever it is cut`(missing: Int) throws {
    let recording = try Recording()
    let text = ([Recording.header] + Recording.lines()).joined(separator: "\n")
    let path = try recording.file(Self.gzip(Array(text.utf8)).dropLast(missing))

    let error = #expect(throws: TraceError.self) { try Recording.read(path) }

    #expect(error?.code == .damaged)
    #expect(error?.detail.contains("is cut") == true)
  }

  @Test func `gzip with something else behind it is refused for that reason`() throws {
    let recording = try Recording()
    let text = ([Recording.header] + Recording.lines()).joined(separator: "\n")
    let path = try recording.file(Self.gzip(Array(text.utf8)) + Array("rubbish".utf8))

    let error = #expect(throws: TraceError.self) { try Recording.read(path) }

    #expect(error?.detail.contains("what follows its gzip data is none") == true)
  }

  @Test func `gzip that was changed is refused`() throws {
    let recording = try Recording()
    var packed = Self.gzip(Array(([Recording.header] + Recording.lines()).joined(separator: "\n").utf8))
    packed[packed.count / 2] ^= 0x55
    let path = try recording.file(packed)

    let error = #expect(throws: TraceError.self) { try Recording.read(path) }

    #expect(error?.code == .damaged)
  }

  @Test func `that there is no room to sort in is not the trace's fault`() throws {
    let error = #expect(throws: TraceError.self) { try SpillFile(folder: "/nowhere") }

    #expect(error?.code == .noRoom)
    #expect(error?.detail.hasPrefix("A temporary file cannot be made in /nowhere") == true)
  }

  @Test func `an empty TMPDIR names no folder to sort in`() {
    #expect([nil, "", "/data/tmp"].map(SpillFile.folder) == ["/var/tmp", "/var/tmp", "/data/tmp"])
  }

  @Test func `a file that is not there is named`() throws {
    let error = #expect(throws: TraceError.self) { try Recording.read("/nowhere/traces.tsv") }

    #expect(error?.detail == "/nowhere/traces.tsv cannot be opened: No such file or directory")
  }

  /// O_DIRECT, which the importer does not see: each write to a pipe is read by itself (pipe(2)).
  private static let packets: CInt = 0o40000

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var stream = z_stream()
    var output = [UInt8](repeating: 0, count: bytes.count + 1000)
    let count = bytes.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        _ = nightjar_deflate_begin(&stream, 15 + 16)
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        _ = deflate(&stream, Z_FINISH)
        deflateEnd(&stream)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }
}
