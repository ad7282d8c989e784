import NIOCore
import NIOHTTP2

/// Windows large enough that a stream fills a fast line with some delay, small enough for a small device.
enum HTTP2Windows {
  static func connection(_ settings: EngineSettings) -> NIOHTTP2Handler.ConnectionConfiguration {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.targetWindowSize = 8 << 20
    configuration.initialSettings = [
      HTTP2Setting(parameter: .enablePush, value: 0),
      HTTP2Setting(parameter: .maxHeaderListSize, value: settings.headersMax),
      HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
      HTTP2Setting(parameter: .maxFrameSize, value: 256 << 10),
    ]
    return configuration
  }

  private static let streamWindow = 4 << 20

  static var stream: NIOHTTP2Handler.StreamConfiguration {
    var configuration = NIOHTTP2Handler.StreamConfiguration()
    configuration.targetWindowSize = streamWindow
    return configuration
  }

  /// Uploads are held back by their own pieces, not by the channel. NIOHTTP2 1.46 stops at an assertion, in debug
  /// builds, when a channel becomes writable again while unflushed control frames wait in it.
  static let uploadWaterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 20, high: 32 << 20)
}
