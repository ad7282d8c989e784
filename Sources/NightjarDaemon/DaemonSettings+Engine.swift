import NightjarCore
import NightjarModel
import NightjarTransfer

extension DaemonSettings {
  /// How the engine moves bytes, by these settings.
  var engine: EngineSettings {
    var engine = EngineSettings()
    engine.connectionsPerHostMax = limits.runningPerHostMax
    engine.retryAfterMax = limits.retryAfterMax
    engine.trustedCertificates = trustedCertificates
    engine.bytesPerSecondMax = bytesPerSecondMax
    engine.proxies = proxies
    engine.deliveredMode = 0o666 & ~umask
    (engine.checkpointInterval, engine.checkpointBytes) = (checkpointInterval, Int64(checkpointBytes))
    engine.unsyncedMax = max(engine.unsyncedMax, 2 * Int64(checkpointBytes))
    return engine
  }
}
