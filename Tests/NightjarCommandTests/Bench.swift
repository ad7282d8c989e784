import FoundationEssentials
import Glibc
import NightjarCommand
import Patience
import Synchronization

/// One run of the program: a folder of its own, a screen that can be read, a hand on Ctrl-C, and time that takes no
/// time.
final class Bench: Sendable {
  let folder: String
  let screen = Screen()
  private let virtualTime = Mutex(Duration.zero)
  private let controlC = Mutex((isPressed: false, waiting: [AsyncStream<Void>.Continuation]()))
  private let clockStands: Bool

  /// - Parameter clockStands: Whether no time passes at all, so that nothing is given up; otherwise sleeping moves the
  ///   clock.
  init(clockStands: Bool = true) throws {
    self.clockStands = clockStands
    folder = "/tmp/nightjar-cli-\(UInt64.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var socket: String { folder + "/nightjar.sock" }

  /// Is heard also by a command that comes to listening for it only then: what it shows may come before.
  func pressControlC() {
    let waiting = controlC.withLock { key in
      key.isPressed = true
      return key.waiting
    }
    for press in waiting { press.yield() }
  }

  private func untilControlC() async {
    let (pressed, press) = AsyncStream<Void>.makeStream()
    let isPressed = controlC.withLock { key in
      key.waiting.append(press)
      return key.isPressed
    }
    if isPressed { return }
    for await _ in pressed { break }
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  /// Makes a program of a script. Another process writes it: a file that this one has open for writing would be open in
  /// whatever other tests start at the same moment, too, and could not be run until that has begun.
  func script(_ text: String, to name: String) throws {
    try write(text, to: name + ".text")
    let status = system("install -D -m 700 '\(folder)/\(name).text' '\(folder)/\(name)' && rm '\(folder)/\(name).text'")
    guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  func surroundings(
    environment: [String: String]? = nil, daemonProgram: String? = nil, isTerminal: Bool = false, columns: Int = 80,
    hasColour: Bool = false
  ) -> Surroundings {
    Surroundings(
      console: screen.console(isTerminal: isTerminal, columns: columns, hasColour: hasColour),
      environment: environment ?? ["NIGHTJAR_SOCKET": socket], folder: folder, daemonProgram: daemonProgram,
      time: timepiece, entropy: { UInt64.random(in: .min ... .max) },
      interrupted: { [weak self] in await self?.untilControlC() })
  }

  /// Runs a command line to its end.
  func run(_ arguments: String..., isTerminal: Bool = false, columns: Int = 80) async -> Int32 {
    await Program.run(arguments, in: surroundings(isTerminal: isTerminal, columns: columns))
  }

  /// Sleeping takes no time. The second between two redraws never ends, nor do the four until a daemon may be silent.
  private var timepiece: Timepiece {
    Timepiece(
      now: { [weak self] in self?.virtualTime.withLock { $0 } ?? .zero },
      sleep: { [weak self] duration in
        try Task.checkCancellation()
        if [.seconds(1), .seconds(4)].contains(duration) {
          for await _ in AsyncStream<Void>.makeStream().stream {}
          throw CancellationError()
        }
        if let self, !self.clockStands { self.virtualTime.withLock { $0 += duration } }
        await Task.yield()
      })
  }
}

/// What was written, as text, and a way to wait for it.
final class Screen: Sendable {
  private struct State {
    var output = ""
    var errors = ""
    var failure: WriteFailure?
    var waiting: [(text: String, told: AsyncStream<Void>.Continuation)] = []
  }

  private let state = Mutex(State())

  var output: String { state.withLock { $0.output } }
  var errors: String { state.withLock { $0.errors } }

  /// Results can no longer be written, as with this `errno`.
  func loseOutput(_ code: Int32) { state.withLock { $0.failure = WriteFailure(code: code) } }

  private var failure: WriteFailure? { state.withLock { $0.failure } }

  /// Returns once a text was written to either stream.
  func waits(for text: String) async throws {
    try await answered { told in
      let isThere = state.withLock { state in
        let isThere = state.output.contains(text) || state.errors.contains(text)
        if !isThere { state.waiting.append((text, told)) }
        return isThere
      }
      if isThere { told.yield() }
    }
  }

  func console(isTerminal: Bool, columns: Int, hasColour: Bool) -> Console {
    Console(
      output: .init(
        isTerminal: isTerminal, write: { [weak self] in self?.add($0, to: \.output) },
        failure: { [weak self] in self?.failure }),
      errors: .init(isTerminal: isTerminal) { [weak self] in self?.add($0, to: \.errors) },
      hasColour: hasColour, size: { (columns, 24) })
  }

  private func add(_ text: String, to stream: any WritableKeyPath<State, String> & Sendable) {
    let done = state.withLock { state in
      state[keyPath: stream] += text
      let (output, errors) = (state.output, state.errors)
      let done = state.waiting.filter { output.contains($0.text) || errors.contains($0.text) }
      state.waiting.removeAll { output.contains($0.text) || errors.contains($0.text) }
      return done.map(\.told)
    }
    for told in done { told.yield() }
  }
}
