import NightjarModel
import NightjarWire
import Testing

/// Header fields of clients.
@Suite struct HeaderFieldTests {
  @Test(arguments: [
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "TE", "Expect", "Proxy-",
  ])
  func `that the daemon writes itself are named where a client reads of them`(name: String) {
    #expect(HTTPField.belongsToConnection(name))
    #expect(AppInterface.text.contains(name) && ControlInterface.text.contains(name))
  }

  @Test(arguments: ["Accept", "Authorization", "Cookie", "Range", "User-Agent", "Content-Type", "Accept-Encoding"])
  func `of any other name are the client's`(name: String) {
    #expect(!HTTPField.belongsToConnection(name))
  }
}
