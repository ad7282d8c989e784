import Foundation
import Synchronization

// Settings that a connection's safety may hang on, and that FoundationNetworking has no way to obey. Without a word an
// app would take them for granted.
extension URLSessionConfiguration {
  /// What has no effect in this process, in words.
  var unheeded: [String] {
    var words: [String] = []
    if connectionProxyDictionary != nil {
      words.append("connectionProxyDictionary: proxies are taken from the environment (http_proxy, https_proxy)")
    }
    if tlsMinimumSupportedProtocolVersion != .TLSv12 {
      words.append("tlsMinimumSupportedProtocolVersion: libcurl has its own minimum")
    }
    if tlsMaximumSupportedProtocolVersion != .TLSv13 {
      words.append("tlsMaximumSupportedProtocolVersion: the newest version of both sides is used")
    }
    if requiresDNSSECValidation {
      words.append("requiresDNSSECValidation: the system's resolver decides")
    }
    return words
  }

  /// Warns of what has no effect, once in a process.
  func warnOfUnheeded() {
    let news = Self.warned.withLock { warned in unheeded.filter { warned.insert($0).inserted } }
    for words in news { Console.warn("without effect in a session of the app's own process: \(words)") }
  }

  private static let warned = Mutex<Set<String>>([])
}
