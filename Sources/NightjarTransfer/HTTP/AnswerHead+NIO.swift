import NIOHTTP1
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension AnswerHead {
  /// The head as NIO has it, which has come just now.
  init(_ head: HTTPResponseHead) {
    self.init(status: Int(head.status.code), headers: head.headers.map { HTTPField($0.name, $0.value) })
    received = Int64(time(nil))
  }

  /// Refuses a body in any transfer coding but `chunked`, which the reader of HTTP undoes. No request of ours has a
  /// `TE` field, so there must be none (RFC 9112, section 7.4), and the bytes would not be the file. `identity` is an
  /// old name for none.
  func refuseTransferCodings(of host: String) throws(TransferFailure) {
    let codings = headers.filter { $0.name.lowercased() == "transfer-encoding" }
      .flatMap { $0.value.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    guard let coding = codings.first(where: { !["", "chunked", "identity"].contains($0) }) else { return }
    throw TransferFailure(
      .badServerResponse, "\(host) sent a body in the transfer coding \(coding.prefix(40)), which nobody asked for")
  }
}
