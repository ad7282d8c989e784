import Foundation
import NightjarModel

import struct FoundationNetworking.URLRequest

/// One HTTP request of an attempt at a transfer, and its answer.
struct Exchange {
  /// The part of the file that is asked for.
  enum Part {
    /// The rest if the file is still of the same version, else the whole (`If-Range`).
    case rest
    /// The rest without `If-Range`; the answer has to show its version.
    case restPlainly
    case whole
  }

  let order: TransferOrder
  var part: Part

  init(_ order: TransferOrder) {
    self.order = order
    part = order.resume?.validator == nil || order.resume?.offset == 0 ? .whole : .rest
  }

  /// Where the download goes on; nil if the request asks for the whole.
  var asked: ResumePoint? { part == .whole || !isPlainGet ? nil : order.resume }

  /// Whether the rest may be asked for later: the request is for a file, and has no `Range` of its own.
  private var isPlainGet: Bool {
    isForFile && order.request.headers[field: "Range"] == nil && order.request.headers[field: "If-Range"] == nil
  }

  /// Whether the answer may be a part of a file.
  private var isForFile: Bool {
    order.request.direction == .download && order.request.method == "GET" && order.request.body.isEmpty
  }

  /// The request as a server reads it, with the body that was sent.
  func request(body: Data) -> URLRequest? {
    guard let url = URL(string: order.request.url) else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = order.request.method
    for field in order.request.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
    if let asked, let validator = asked.validator {
      request.setValue("bytes=\(asked.offset)-", forHTTPHeaderField: "Range")
      if part == .rest { request.setValue(validator.fieldValue, forHTTPHeaderField: "If-Range") }
    }
    if !body.isEmpty { request.httpBody = body }
    return request
  }

  /// The head and the body as sent to the client.
  func reply(_ answer: ServerAnswer, to request: URLRequest) -> (head: AnswerHead, body: Data) {
    var reply = Reply(answer)
    if answer.servesRanges, answer.statusCode == 200, isForFile {
      reply.name(answer.data)
      if isMeant(reply, by: request) { reply.cut(to: AskedRange(request.value(forHTTPHeaderField: "Range"))) }
    }
    reply.measure(for: order.request.method)
    return (AnswerHead(status: reply.status, headers: reply.fields), reply.body)
  }

  /// Whether `If-Range` names this version, or is absent.
  private func isMeant(_ reply: Reply, by request: URLRequest) -> Bool {
    guard let version = request.value(forHTTPHeaderField: "If-Range") else { return true }
    return version == reply.fields[field: "ETag"] || version == reply.fields[field: "Last-Modified"]
  }

  /// What is to be done with the answer.
  func plan(_ head: AnswerHead) -> BodyPlan {
    guard order.request.direction == .download else { return .begin(validator: nil, length: nil) }
    let host = URL(string: order.request.url)?.host ?? order.request.url
    return BodyPlan(head, asked: asked, isConditional: part == .rest, isResumable: isPlainGet, host: host)
  }
}

/// An answer as it is sent.
private struct Reply {
  var status: Int
  var fields: [HTTPField]
  var body: Data

  init(_ answer: ServerAnswer) {
    (status, body) = (answer.statusCode, answer.data)
    fields = answer.headers.sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
  }

  /// Adds an `ETag` made from the file's bytes, unless the answer has one (FNV-1a, eight bytes at a time, because test
  /// code is not optimised).
  mutating func name(_ file: Data) {
    guard fields[field: "ETag"] == nil else { return }
    let hash = file.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
      var place = 0
      while place < bytes.count {
        let isWord = place + 8 <= bytes.count
        let word = isWord ? bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) : UInt64(bytes[place])
        hash = (hash ^ word) &* 0x100_0000_01b3
        hash ^= hash >> 29
        place += isWord ? 8 : 1
      }
      return hash
    }
    fields.append(HTTPField("ETag", "\"\(String(hash, radix: 16))\""))
  }

  /// Reduces the body to the part that was asked for, if one was (RFC 9110, sections 15.3.7 and 15.5.17).
  mutating func cut(to range: AskedRange?) {
    guard let range else { return }
    let length = body.count
    if let part = range.positions(in: length) {
      status = 206
      fields.append(HTTPField("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound)/\(length)"))
      body = Data(body.dropFirst(part.lowerBound).prefix(part.count))
    } else {
      (status, body) = (416, Data())
      fields.append(HTTPField("Content-Range", "bytes */\(length)"))
    }
  }

  /// Adds the length, and removes a body that HTTP does not carry (RFC 9110, sections 6.4.1 and 8.6).
  mutating func measure(for method: String) {
    fields.removeAll { $0.name.lowercased() == "content-length" }
    if status != 204 { fields.append(HTTPField("Content-Length", "\(body.count)")) }
    if !AnswerHead.hasBody(status, to: method) { body = Data() }
  }
}
