import NightjarWire
import Synchronization

/// The transfers under way, drawn at the bottom of the terminal, and the lines printed above them.
///
/// Without a terminal nothing is drawn, and only the lines are written.
final class ProgressBoard: Sendable {
  private struct State {
    var transfers: [ControlInterface.Transfer] = []
    var meters: [Int64: RateMeter] = [:]
    var block = LiveBlock()
    var drawn: Duration?
    /// What the transfers that are queued wait for: at the last look, and as it was said.
    var (queued, said): ([Int64: String], [Int64: String]) = ([:], [:])
  }

  private static let drawingInterval = Duration.milliseconds(100)
  private let console: Console
  private let time: Timepiece
  private let state = Mutex(State())
  /// Whether bars are drawn.
  let isLive: Bool

  /// A board for a terminal; without one, or if bars are not wanted, none are drawn.
  init(_ surroundings: Surroundings, wantsBars: Bool = true) {
    (console, time) = (surroundings.console, surroundings.time)
    isLive = wantsBars && console.errors.isTerminal
  }

  /// The transfers as they were last shown.
  var transfers: [ControlInterface.Transfer] { state.withLock { $0.transfers } }

  /// Shows how things are now, ten times a second at the most unless it is important.
  func show(_ transfers: [ControlInterface.Transfer], isImportant: Bool) {
    state.withLock { state in
      state.transfers = transfers
      guard isLive else { return }
      note(&state)
      if !isImportant, let drawn = state.drawn, time.now() - drawn < Self.drawingInterval { return }
      draw(&state)
    }
  }

  /// Draws the same again, since rates fall while nothing happens and windows are resized.
  func redraw() { state.withLock { if isLive { draw(&$0) } } }

  /// Without bars, says why transfers stay queued: those that were so for the same reason at the last look. A reason is
  /// said once for all that share it.
  func noticeQueued() {
    guard !isLive else { return }
    for line in state.withLock({ Self.linesOfQueued(&$0) }) { notice(line) }
  }

  private static func linesOfQueued(_ state: inout State) -> [String] {
    let before = state.queued
    let queued = state.transfers.filter { $0.state == .queued && !$0.verdict.isEmpty }
    state.queued = Dictionary(queued.map { ($0.id, $0.verdict) }) { $1 }
    state.said = state.said.filter { [now = state.queued] in now[$0.key] == $0.value }
    var lines: [String] = []
    for transfer in queued where before[transfer.id] == transfer.verdict && state.said[transfer.id] == nil {
      if !state.said.values.contains(transfer.verdict) { lines.append(transfer.stateLine) }
      state.said[transfer.id] = transfer.verdict
    }
    return lines
  }

  /// Writes a line that stays, as a result.
  func say(_ line: String) { write(line, to: console.output) }

  /// Writes a line that stays, as a notice.
  func notice(_ line: String) { write("nightjar: \(line)", to: console.errors) }

  /// Erases the bars.
  func clear() { state.withLock { if isLive { console.errors.write($0.block.erase()) } } }

  private func write(_ line: String, to stream: Console.Stream) {
    state.withLock { state in
      if isLive { console.errors.write(state.block.erase()) }
      stream.line(line)
      if isLive { draw(&state) }
    }
  }

  private func note(_ state: inout State) {
    var meters: [Int64: RateMeter] = [:]
    for transfer in state.transfers where transfer.state == .running {
      meters[transfer.id] = state.meters[transfer.id] ?? RateMeter()
      meters[transfer.id]?.note(transfer.count, at: time.now())
    }
    state.meters = meters
  }

  private func draw(_ state: inout State) {
    let now = time.now()
    state.drawn = now
    let open = state.transfers.filter { !$0.state.isEnd }
    let (columns, rows) = console.size()
    let lines = open.map { ProgressLine($0, rate: state.meters[$0.id]?.bytesPerSecond(at: now)) }
    let text = Self.lines(lines, columns: columns - 1, rowsMax: max(1, rows - 2))
    console.errors.write(state.block.redraw(text))
  }

  private static func lines(_ all: [ProgressLine], columns: Int, rowsMax: Int) -> [String] {
    let shown = all.count > rowsMax ? Array(all.prefix(rowsMax - 1)) : all
    let nameColumns = min(shown.map(\.name.width).max() ?? 0, max(8, columns / 3), 40)
    let lines = shown.map { $0.text(width: columns, nameColumns: nameColumns) }
    return shown.count < all.count ? lines + ["and \(all.count - shown.count) more"] : lines
  }
}

extension ProgressLine {
  /// A transfer's line.
  init(_ transfer: ControlInterface.Transfer, rate: Double?) {
    self.init(
      name: DisplayText(transfer.shortName), count: transfer.count, expected: transfer.expected, rate: rate,
      waitsFor: transfer.state == .running ? nil : DisplayText(transfer.stateInWords))
  }
}
