import NightjarModel

/// When a transfer may begin.
struct Appointment: Comparable, Sendable {
  var at: Timestamp
  var id: TransferID

  static func < (a: Appointment, b: Appointment) -> Bool { (a.at, a.id) < (b.at, b.id) }
}

extension Transfer {
  /// When its app wants it to begin, if that was put off.
  var appointment: Appointment? {
    request.options.earliestBegin.map { Appointment(at: $0, id: id) }
  }
}
