import Foundation

/// The `info` of a notification on the wire: a property list with the app's own data, and with what the library keeps
/// of the notification that the daemon does not use.
struct NoticeInfo {
  /// The entries; the library's own have keys that begin with `dev.nightjar.`.
  private(set) var entries: [AnyHashable: Any]

  init(_ entries: [AnyHashable: Any]) { self.entries = entries }

  /// Reads the wire's form; empty if it cannot be read.
  init(_ text: String?) {
    let found = text.flatMap { Data(base64Encoded: $0) }.flatMap { data in
      try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    }
    entries = found ?? [:]
  }

  /// The wire's form; nil if there is no entry. Entries that are not property list types end the process.
  var text: String? {
    guard !entries.isEmpty else { return nil }
    // XML sorts the entries of a dictionary, so that equal ones make equal texts.
    guard let plain = entries as? [String: Any], PropertyListSerialization.propertyList(plain, isValidFor: .xml),
      let data = try? PropertyListSerialization.data(fromPropertyList: plain, format: .xml, options: 0)
    else { Misuse.userInfo.happened() }
    return data.base64EncodedString()
  }

  /// Puts an entry in, unless it is nil.
  mutating func putText(_ text: String?, at key: String) { if let text { entries[key] = text } }

  /// Takes an entry out.
  mutating func takeText(at key: String) -> String? { entries.removeValue(forKey: key) as? String }

  /// Puts a value in, as a property list within this one.
  mutating func put(_ value: some Encodable, at key: String) {
    guard let data = try? PropertyListEncoder().encode(value),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    else { preconditionFailure("no property list for \(value)") }
    entries[key] = list
  }

  /// Takes a value out; nil if there is none that can be read.
  mutating func take<Value: Decodable>(_ type: Value.Type, at key: String) -> Value? {
    guard let list = entries.removeValue(forKey: key),
      let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    else { return nil }
    return try? PropertyListDecoder().decode(type, from: data)
  }
}
