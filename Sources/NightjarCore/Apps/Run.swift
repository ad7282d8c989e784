import NightjarModel

/// What is known of an app's present life alone: each life begins with a new one.
///
/// What belongs to connections lies with the app, since a program may have some while nobody has launched it.
struct Run: Sendable {
  /// Whether its process came from nowhere (neither launched nor adopted), so that nobody will report its end.
  var isStray = false
  /// Whether an earlier daemon began this life, and no process of it has attached to this one yet. The first that does
  /// ends the waiting for others.
  var isAdopted = false
  /// Whether a process of this life has attached, to this daemon or an earlier one, and whether the first of its
  /// processes is gone.
  var hasAttached = false
  var isOrphaned = false
  /// The message that it is in the background, until it has confirmed that.
  var entering: Entering?
  /// By when, on the awake clock, those that attach in the background must have confirmed that; nil until one does.
  var arrivedBy: Duration?
  /// Its background tasks.
  var backgroundTasks = BackgroundTasks()
  /// Whether it is spared although a deadline has come, and whether it has been for a debugger's sake.
  var patience: Patience?
  var wasTraced = false
  /// What its process has been told of itself.
  var briefing: Briefing?
}
