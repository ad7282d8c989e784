import NIOHTTP1
import NightjarModel

extension AnswerHead {
  /// The head as NIO has it.
  init(_ head: HTTPResponseHead) {
    self.init(status: Int(head.status.code), headers: head.headers.map { HTTPField($0.name, $0.value) })
  }
}
