import NIOPosix

/// Syncs files that have come whole: small files and replies many at a time, large ones apart from them.
///
/// A file with much left to write keeps its disk busy for as long as that takes. Small ones do not wait for it.
struct Sealer: Sendable {
  private let small: Convoy<Sealing>
  private let large: Convoy<Sealing>
  private let largeMin: Int64

  /// - Parameter work: Makes one round safe.
  init(on files: NIOThreadPool, _ settings: EngineSettings, work: @escaping Convoy<Sealing>.Work) {
    largeMin = settings.sealedApartMin
    small = Convoy(on: files, threadsMax: max(settings.fileThreads / 2, 1), work: work)
    large = Convoy(on: files, threadsMax: 1) { round, isActive in
      for sealing in round { work([sealing], isActive) }  // Each is told as soon as it is safe.
    }
  }

  /// Takes a file in; it is made safe soon.
  func add(_ sealing: Sealing) { (sealing.sync.unsynced < largeMin ? small : large).add(sealing) }
}
