import Foundation
@testable import NightjarWire
@testable import Varlink

private let messageMax = 1 << 16

/// A stream of bytes is cut into messages; each is read as a call, a reply and the parameters of the busiest methods.
///
/// The first byte decides into what pieces the stream falls: how it falls must not matter.
func fuzzMessages(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let first = bytes.first else { return }
  let stream = bytes.dropFirst()
  let whole = messages(of: stream, inPiecesOf: max(stream.count, 1))
  let pieces = messages(of: stream, inPiecesOf: Int(first) + 1)
  precondition(whole == pieces, "cut into \(whole.count) messages at once and \(pieces.count) in pieces")
  for message in whole { read(message) }
}

private func messages(of stream: Slice<UnsafeBufferPointer<UInt8>>, inPiecesOf size: Int) -> [[UInt8]] {
  var (buffer, found, rest) = (MessageBuffer(messageBytesMax: messageMax), [[UInt8]](), stream)
  do {
    while !rest.isEmpty {
      Array(rest.prefix(size)).withUnsafeBytes { buffer.append($0) }
      rest = rest.dropFirst(size)
      while let message = try buffer.next({ Array($0) }) { found.append(message) }
    }
  } catch {}  // Refused as too large: what came before it counts.
  return found
}

private func read(_ message: [UInt8]) {
  message.withUnsafeBufferPointer { bytes in
    _ = try? CallHeader(reading: bytes)
    _ = try? ReplyHeader(reading: bytes)
    check(bytes, app, "Enqueue", AppInterface.Enqueue.Parameters.self)
    check(bytes, control, "Download", ControlInterface.Download.Parameters.self)
  }
}

private let app = try! InterfaceDescription(parsing: AppInterface.text)
private let control = try! InterfaceDescription(parsing: ControlInterface.text)

/// What the check of an interface lets through has the typed message's fields and types; at most a text is no UTF-8, or
/// a number too large.
private func check<Parameters: Decodable>(
  _ bytes: UnsafeBufferPointer<UInt8>, _ interface: InterfaceDescription, _ method: String, _ type: Parameters.Type
) {
  guard isSoundJSON(bytes), let method = interface.method(named: method) else { return }
  var check = ParameterCheck(interface)
  let place = check.prepare(method.parameters)
  guard check.wrongField(bytes, at: place) == nil else { return }
  do {
    _ = try Wire.decode(type, from: bytes)
  } catch DecodingError.dataCorrupted {
  } catch {
    fatalError("passes the check and cannot be read: \(Wire.reason(error))")
  }
}

private func isSoundJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var scanner = JSONScanner(bytes)
  do throws(JSONScanner.Fault) {
    _ = try scanner.value()
    try scanner.end()
    return true
  } catch {
    return false
  }
}

/// An interface's text that can be read is written so that it reads the same again.
func fuzzInterface(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let text = String(validating: bytes, as: UTF8.self),
    let description = try? InterfaceDescription(parsing: text)
  else { return }
  do {
    let again = try InterfaceDescription(parsing: "\(description)")
    precondition(again == description, "reads differently once it is written:\n\(description)")
  } catch {
    fatalError("cannot be read once it is written: \(error)\n\(description)")
  }
}
