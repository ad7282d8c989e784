public import NightjarModel

/// One thing that happened to an app. It is committed with the change that it tells of, and kept over any crash and
/// reboot until newer ones have taken its place.
public struct HistoryEntry: Hashable, Sendable {
  /// What happened, in a word that programs may rely on. Written to the database: a new one needs a migration.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A life began, in the foreground or the background.
    case launched
    /// It came to the foreground, or left it.
    case foreground, background
    /// It stands still; or it runs on.
    case suspended, resumed
    /// The device is short of memory, and it was told.
    case warned
    /// It is ended: by a person or since its bundle is gone, for another edition of that, or because it is removed.
    case terminated, upgraded, removed
    /// It is ended since it has not done what it owes by its deadline.
    case overdue
    /// It is ended since it holds a lock on a file that it shares with others.
    case locked
    /// It is ended since the device is short of memory.
    case memory
    /// It is ended where others are suspended, or since its first process is gone; because it would not stand still; or
    /// because the daemon stops.
    case finished, stuck, stopped
    /// Its last process is gone: it exited, or it crashed.
    case exited, crashed
    /// It could not be launched.
    case failed
    /// It ended while no daemon was there to see it.
    case lost
    /// It is not launched again for a while, or is a program that has not attached; or an event is not told again until
    /// a person launches it.
    case delayed, parked
  }

  /// Names an entry.
  public struct ID: Hashable, Comparable, Sendable {
    /// The app.
    public var app: AppID
    /// Which of the app's entries, counted from 1.
    public var number: Int64

    /// The entry of this number.
    public init(app: AppID, number: Int64) { (self.app, self.number) = (app, number) }

    public static func < (a: ID, b: ID) -> Bool { (a.app, a.number) < (b.app, b.number) }
  }

  /// Its name.
  public var id: ID
  /// The life in which it happened.
  public var life: Int
  /// When, on the wall clock, right or wrong.
  public var at: Timestamp
  /// What happened.
  public var kind: Kind
  /// The same for people, to stand behind the app's name: `was launched by a person`.
  public var sentence: String

  /// An entry as it was saved, or a new one.
  public init(id: ID, life: Int, at: Timestamp, kind: Kind, sentence: String) {
    (self.id, self.life, self.at, self.kind, self.sentence) = (id, life, at, kind, sentence)
  }
}

extension HistoryEntry.Kind {
  /// Whether it ends the life; nil if it says nothing of that.
  var endsLife: Bool? {
    switch self {
    case .exited, .crashed, .failed, .lost: true
    case .delayed, .parked: nil
    case .launched, .foreground, .background, .suspended, .resumed, .warned, .terminated, .upgraded, .removed,
      .overdue, .locked, .memory, .finished, .stuck, .stopped:
      false
    }
  }

  /// Whether it says why the life is ended.
  var isReason: Bool {
    switch self {
    case .terminated, .upgraded, .removed, .overdue, .locked, .memory, .finished, .stuck, .stopped: true
    case .launched, .foreground, .background, .suspended, .resumed, .warned, .exited, .crashed, .failed, .lost,
      .delayed, .parked:
      false
    }
  }
}
