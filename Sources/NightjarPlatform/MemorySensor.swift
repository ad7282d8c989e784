import Glibc
public import NightjarModel
import Synchronization

/// When memory counts as short.
public struct MemorySettings: Hashable, Sendable {
  /// If some task has waited so long for memory within the window, apps are warned.
  public var warningStall = Duration.milliseconds(150)
  /// If all tasks have waited so long at once, room is made.
  public var urgentStall = Duration.milliseconds(100)
  /// The window. Without CAP_SYS_RESOURCE the kernel takes multiples of 2 s only.
  public var window = Duration.seconds(2)
  /// Stalls count only while less than so many percent of memory is available: a container at its own limit stalls,
  /// too.
  public var stallPercent = 50
  /// If less than so many percent of memory is available, apps are warned, or room is made.
  public var warningPercent = 10, urgentPercent = 5
  /// How often memory is polled where the kernel does not signal.
  public var pollInterval = Duration.seconds(2)
  /// Whether the kernel is asked to signal (PSI); false polls, as on a kernel without it.
  public var usesStalls = true

  /// The ordinary settings.
  public init() {}
}

/// Notices that memory is short: by the kernel's pressure stall information (PSI triggers,
/// Documentation/accounting/psi.rst), or by looking at `MemAvailable` every other second where there is none.
///
/// While memory is not short, a trigger costs nothing and wakes nobody.
public final class MemorySensor: Sendable {
  /// Why memory is polled; nil where the kernel signals.
  public let shortcoming: String?

  private let lookout: Lookout
  private let settings: MemorySettings
  private let report: @Sendable (MemoryPressure) -> Void
  private let watches: [Lookout.Watch]
  private let state = Mutex(State())

  private struct State {
    var alarm: Alarm?
    /// What all tasks had waited when it was measured last, and when that was.
    var last: (stalled: Duration, at: Duration)?
  }

  /// Calls `report` on the lookout's thread whenever memory is short, at most twice in a window.
  public init(
    lookout: Lookout, settings: MemorySettings, report: @escaping @Sendable (MemoryPressure) -> Void
  ) throws(PlatformError) {
    (self.lookout, self.settings, self.report) = (lookout, settings, report)
    do throws(PlatformError) {
      guard settings.usesStalls else { throw PlatformError(.system(ENOSYS), "it is switched off in the configuration") }
      watches = try [
        Self.trigger("some", settings.warningStall, .warning, lookout, settings, report),
        Self.trigger("full", settings.urgentStall, .urgent, lookout, settings, report),
      ]
      shortcoming = nil
    } catch {
      (watches, shortcoming) = ([], error.detail)
      try poll()
    }
  }

  deinit { watches.forEach(lookout.cancel) }

  /// How short memory is now: by what is available, and by how long tasks have waited since the reading before.
  public func read() -> (pressure: MemoryPressure, total: Int64) {
    let figures = MemoryFigures()
    let byStalls = stallsGoOn() && settings.counts(figures) ? MemoryPressure.urgent : .none
    return (max(settings.pressure(of: figures), byStalls), figures?.total ?? 0)
  }

  private func stallsGoOn() -> Bool {
    guard shortcoming == nil, let stalled = MemoryFigures.stalled() else { return false }
    let now = Clocks.boot()
    let last = state.withLock { state in
      defer { state.last = (stalled, now) }
      return state.last
    }
    guard let last, now > last.at, now - last.at <= settings.window else { return false }
    return (stalled - last.stalled) / (now - last.at) >= settings.urgentStall / settings.window
  }

  private static func trigger(
    _ kind: String, _ stall: Duration, _ pressure: MemoryPressure, _ lookout: Lookout, _ settings: MemorySettings,
    _ report: @escaping @Sendable (MemoryPressure) -> Void
  ) throws(PlatformError) -> Lookout.Watch {
    guard let file = Descriptor.opened(MemoryFigures.pressureFile, O_RDWR | O_NONBLOCK) else {
      throw .system("cannot open \(MemoryFigures.pressureFile)")
    }
    let line = "\(kind) \(stall.wholeMicroseconds) \(settings.window.wholeMicroseconds)\0"
    guard Disk.write(line.utf8, to: file) else {
      throw .system("\(MemoryFigures.pressureFile) does not take '\(line.dropLast())'")
    }
    return try lookout.watch(file, for: .urgent) {
      let figures = MemoryFigures()
      let found = max(settings.pressure(of: figures), settings.counts(figures) ? pressure : .none)
      if found > .none { report(found) }
    }
  }

  private func poll() throws(PlatformError) {
    let alarm = try Alarm(lookout: lookout) { [weak self] in self?.look() }
    state.withLock { $0.alarm = alarm }
    alarm.set(after: settings.pollInterval)
  }

  private func look() {
    let found = settings.pressure(of: MemoryFigures())
    if found > .none { report(found) }
    state.withLock { $0.alarm }?.set(after: settings.pollInterval)
  }
}

extension MemorySettings {
  fileprivate func pressure(of figures: MemoryFigures?) -> MemoryPressure {
    guard let figures else { return .none }
    return figures.isBelow(percent: urgentPercent)
      ? .urgent : figures.isBelow(percent: warningPercent) ? .warning : .none
  }

  fileprivate func counts(_ figures: MemoryFigures?) -> Bool { figures?.isBelow(percent: stallPercent) ?? true }
}

extension Duration {
  fileprivate var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
