import Foundation
import NightjarModel
import NightjarSimulator
import NightjarWire

/// The bodies of servers' answers: in memory while they arrive, then in files in the staging area.
struct Depot {
  /// The answer to an attempt, with the whole body that it will have.
  private struct Delivery {
    var attempt: Int
    var response: Response
    var body: Data
  }

  private let folder: String
  private var deliveries: [TransferID: Delivery] = [:]

  init(in folder: String) { self.folder = folder }

  /// Begins an attempt. A transfer that takes over a remnant gets its bytes.
  mutating func begin(_ order: TransferOrder) {
    guard let old = order.resume?.heritage, let left = deliveries.removeValue(forKey: old) else { return }
    deliveries[order.id] = left
  }

  /// Takes in an answer and returns what is about to arrive; nil if the answer does not fit, and another part has to be
  /// asked for.
  mutating func take(_ head: AnswerHead, _ body: Data, _ exchange: inout Exchange) throws(TransferFailure)
    -> Stage.Arrival?
  {
    let order = exchange.order
    switch exchange.plan(head) {
    case .append(let length):
      return try complete(body, from: exchange.asked?.offset ?? 0, to: length, head, order)
    case .complete(let length): return try complete(Data(), from: length, to: length, head, order)
    case .begin(let validator, _):
      keep(body, head.response(from: order.request.url), of: order)
      return Stage.Arrival(offset: 0, length: Int64(body.count), validator: validator)
    case .requestPlainly: exchange.part = .restPlainly
    case .appendBeginning, .requestWhole: exchange.part = .whole
    case .refuse(let failure): throw failure
    }
    return nil
  }

  /// Appends a part to the bytes before its offset.
  private mutating func complete(
    _ body: Data, from offset: Int64, to length: Int64, _ head: AnswerHead, _ order: TransferOrder
  ) throws(TransferFailure) -> Stage.Arrival {
    let whole = Data(deliveries[order.id]?.body.prefix(Int(offset)) ?? Data()) + body
    guard whole.count == Int(length) else {
      throw TransferFailure(.badServerResponse, "the part that was answered is not as long as its Content-Range says")
    }
    keep(whole, head.response(from: order.request.url, wholeLength: length), of: order)
    return Stage.Arrival(offset: offset, length: length, validator: order.resume?.validator)
  }

  private mutating func keep(_ body: Data, _ response: Response, of order: TransferOrder) {
    deliveries[order.id] = Delivery(attempt: order.attempt, response: response, body: body)
  }

  /// The response to a transfer's newest attempt.
  func response(to id: TransferID) -> Response? { deliveries[id]?.response }

  /// Writes a body that has arrived whole to a file. Nil for an attempt that is not the newest.
  mutating func layDown(_ id: TransferID, attempt: Int) throws(TransferFailure) -> (Response, StagedFile)? {
    guard let delivery = deliveries[id], delivery.attempt == attempt else { return nil }
    let path = path(of: id)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try delivery.body.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch { throw TransferFailure(.cannotWrite, "\(error)") }
    guard let stamp = FileStamp(ofFileAt: path) else { throw TransferFailure(.cannotWrite, "\(path) is gone") }
    return (delivery.response, StagedFile(path: path, stamp: stamp))
  }

  /// Forgets a transfer and removes its file.
  mutating func discard(_ id: TransferID) {
    deliveries[id] = nil
    try? FileManager.default.removeItem(atPath: path(of: id))
  }

  private func path(of id: TransferID) -> String { "\(folder)/\(id)" }
}

extension TransferRequest {
  /// The body that is sent; for an upload the file's bytes, if the file has not changed since it was queued.
  func sentBody() throws(TransferFailure) -> Data {
    guard case .upload(let path, let stamp) = direction else { return Data(body) }
    guard FileManager.default.fileExists(atPath: path) else {
      throw TransferFailure(.cannotReadSource, "'\(path)' is gone")
    }
    guard FileStamp(ofFileAt: path) == stamp else {
      throw TransferFailure(.sourceChanged, "'\(path)' has changed since it was queued")
    }
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw TransferFailure(.cannotReadSource, "\(error)")
    }
  }
}
