/// Whether something may happen now, and if not, why not and what it waits for.
///
/// A refusal by policy is no error: it is a value that `nightjar why` can show.
public enum Verdict: Hashable, Sendable {
  /// Nothing stands in the way.
  case allowed
  /// Not now; for at most so long, where that is known.
  case waits(Reason, atMost: Duration?)

  /// What is being waited for.
  public enum Reason: Hashable, Sendable {
    /// Something that the device does not offer just now, or that a person has it pretend not to offer.
    case lacks(Lack, isSimulated: Bool)
    /// The time on the wall clock before which it must not begin.
    case earliestBegin(Timestamp)
    /// The end of the time for which this host has asked to be left alone.
    case throttled(host: String)
    /// A free place among the connections to this host.
    case hostBusy(host: String, limit: Int)
    /// A free place among the connections to this host that its app may have: it has so many, and leaves the others to
    /// the other apps that wait for the host.
    case hostShared(host: String, count: Int)
    /// A free place among the connections that its session may have with this host.
    case sessionBusy(host: String, limit: Int)
    /// A free place among all connections.
    case allBusy(limit: Int)
    /// A free place among those that its app may have: it has so many, and leaves the others to other apps.
    case appBusy(count: Int)
    /// Room in the staging area: its app has so many bytes there or about to come, and may have no more.
    case stagedBytes(Int64, limit: Int64)
    /// The back-off after a failure. In vain were so many attempts in a row: what they moved has to be moved again.
    case backOff(TransferFailure, attempts: Int, inVain: Int)
    /// Somebody suspended it.
    case suspended
    /// The finished file cannot be delivered; it is kept.
    case delivery(TransferFailure)
    /// The app will be told when it is launched next; its session asked not to be launched for this.
    case nextLaunch
    /// The app will be told when the session's other transfers have ended, or this one's end has waited long enough.
    case restOfSession(count: Int)
    /// The app is being launched, or told.
    case telling
    /// A program that was started has this process, and is not attached. Without one: it may have been attached to an
    /// earlier daemon, and has a moment to come back.
    case unattached(pid: Int32?)
    /// The app could not be launched, and is tried again later.
    case launchBackOff(detail: String, attempts: Int)
    /// The app was launched into the background more often than it may be; the count is what it is granted at once.
    case launchBudget(max: Int)
    /// The app was launched for this session so often and never opened it; a person has to launch it.
    case unopened(session: String, launches: Int)
    /// Telling the app has crashed it too often; a person has to launch it.
    case parked(crashes: Int)
    /// Its app's answer.
    case answer(Question)
    /// A person has removed the app from the switcher and not launched it since.
    case removedFromSwitcher
    /// No program is there to be told: it is not attached and named no command that would relaunch it.
    case nobodyToTell
  }
}
