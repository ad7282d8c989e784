/// What a local notification shows, and what its app has put into it.
public struct NoticeContent: Hashable, Sendable {
  /// What is shown above the text (`alertTitle`).
  public var title: String?
  /// The text (`alertBody`); without one there is nothing to show.
  public var body: String?
  /// The label of the button that opens the app (`alertAction`).
  public var action: String?
  /// Whether there is such a button (`hasAction`).
  public var hasAction = true
  /// The name of an image (`alertLaunchImage`): kept for the app, and not used.
  public var launchImage: String?
  /// The name of a sound (`soundName`); nil for none.
  public var sound: String?
  /// The number that the app's icon shows from then on (`applicationIconBadgeNumber`); 0 leaves it as it is.
  public var badge = 0
  /// The greatest number that an icon shows.
  package static let badgeMax = 999_999
  /// What is the app's own business: a property list in base64.
  public var info: String?

  /// Nothing to show yet.
  public init() {}

  /// Whether there is something to show.
  public var isVisible: Bool { body?.isEmpty == false }

  /// Bytes of all its texts, as a message has them.
  public var textBytes: Int {
    [title, body, action, launchImage, sound, info].reduce(0) { $0 + ($1?.messageBytes ?? 0) }
  }
}

/// A local notification as an app has asked for it.
public struct NoticeRequest: Hashable, Sendable {
  /// Names it within its app, and recognises a repetition of the same request.
  public var key: RequestKey
  /// The app's own name for it, which only one of its notifications has at a time (`UNNotificationRequest.identifier`).
  public var identifier: String?
  /// The app.
  public var app: AppID
  /// When it is due; nil for at once.
  public var time: NoticeTime?
  /// The identifier of the calendar that the app named (`repeatCalendar`), for the app; ``NoticeTime/days`` follow from
  /// it.
  public var calendar: String?
  /// What it shows.
  public var content: NoticeContent

  /// A notification of an app.
  public init(
    key: RequestKey, identifier: String? = nil, app: AppID, time: NoticeTime? = nil, calendar: String? = nil,
    content: NoticeContent
  ) {
    (self.key, self.identifier, self.app) = (key, identifier, app)
    (self.time, self.calendar, self.content) = (time, calendar, content)
  }

  /// Bytes of all its texts, with its own name and those of its calendar and its time zone, as a message has them.
  public var textBytes: Int {
    content.textBytes + [identifier, calendar, time?.zone?.name].reduce(0) { $0 + ($1?.messageBytes ?? 0) }
  }
}

extension String {
  /// How many bytes it takes up in a message (JSON), where a control character may be written as six.
  fileprivate var messageBytes: Int {
    utf8.reduce(0) { count, byte in
      switch byte {
      case ..<0x20: count + 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
      default: count + 1
      }
    }
  }
}

/// Where a notification is: a repeated one may be at both places.
public enum NoticePlace: Hashable, Sendable {
  /// It is due at a time.
  case scheduled
  /// It lies in the notification centre.
  case shown
}

/// How a notification is shown that its app was told of in the foreground.
public enum NoticeShowing: Hashable, Sendable {
  /// With its sound, if it has one.
  case withSound
  /// Without its sound.
  case silently
}

/// The number of a notification that was fired, given out once by one daemon's database and never again.
public struct NoticeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counts from 1.
  public let rawValue: Int64

  /// Names the notification with this number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  public var description: String { "\(rawValue)" }

  public static func < (a: NoticeID, b: NoticeID) -> Bool { a.rawValue < b.rawValue }
}

/// A notification to show a person.
public struct Banner: Hashable, Sendable {
  /// Its number.
  public var id: NoticeID
  /// The app that it is from.
  public var app: AppID
  /// The app's name for people.
  public var title: String
  /// What the app has put above the text, if anything.
  public var heading: String?
  /// The text.
  public var body: String
  /// The label of the button that opens the app; nil if there is none.
  public var action: String?
  /// Whether it makes a sound.
  public var sounds: Bool
  /// The name that its app has for the sound, if it is one of the app's own; nil for the usual one.
  public var sound: String?
  /// When it was fired.
  public var firedAt: Timestamp

  /// The title and the text in one line.
  public var words: String { [heading, body].compactMap(\.self).joined(separator: ": ") }

  /// A notification as it is shown.
  public init(
    id: NoticeID, app: AppID, title: String, heading: String? = nil, body: String, action: String?, sounds: Bool,
    sound: String? = nil, firedAt: Timestamp
  ) {
    (self.id, self.app, self.title, self.heading, self.body) = (id, app, title, heading, body)
    (self.action, self.sounds, self.sound, self.firedAt) = (action, sounds, sound, firedAt)
  }
}
