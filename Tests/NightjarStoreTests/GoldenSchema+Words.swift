/// The words that released columns may hold, as they were.
extension GoldenSchema {
  /// Words of a transfer's `phase` and of its failure.
  static let phases = [
    "queued", "running", "stopping", "waiting", "delivering", "undelivered", "succeeded", "failed",
  ]
  static let failures = [
    "badURL", "cannotFindHost", "cannotConnect", "notConnected", "connectionLost", "timedOut", "secureConnectionFailed",
    "certificateUntrusted", "certificateExpired", "certificateNotYetValid", "clientCertificateRequired",
    "tooManyRedirects", "badRedirect", "badServerResponse", "serverBusy", "diskFull", "cannotWrite", "cannotReadSource",
    "sourceChanged", "destinationExists", "checksumMismatch", "resourceTimedOut", "cancelled", "cancelledByPerson",
    "appRemoved",
  ]

  /// Words that a history's `kind` may be.
  static let happenings = [
    "launched", "foreground", "background", "suspended", "resumed", "warned", "terminated", "upgraded", "removed",
    "overdue", "locked", "memory", "finished", "stuck", "stopped", "exited", "crashed", "failed", "lost", "delayed",
    "parked",
  ]

  /// Words of the columns of background fetch.
  static let decisions = ["fetch", "joins", "asked", "waits"]
  static let outcomes = ["newData", "noData", "failed", "late"]
  static let obstacles = [
    "notDeclared", "never", "removedFromSwitcher", "backgroundRefreshRestricted", "backgroundRefreshOff", "neverOpened",
    "inForeground", "underWay", "belowMinimumInterval", "backOff", "earliestBegin", "noNetwork", "noPower", "inUse",
    "lowPowerMode", "batteryLow", "meteredNetwork", "deviceAsleep", "budgetSpent", "belowThreshold",
  ]
}
