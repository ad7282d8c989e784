/// A document with lists of very many records, which Foundation's encoder would be at for longer than what they tell of
/// takes: it encodes each of them as an empty list, and has it written here.
protocol LongDocument: Encodable {
  /// The lists, by their names at the top of the document; best the last first, since each is looked for from the beginning.
  var lists: [(name: String, list: JSONList)] { get }
}

/// A list of records that are at hand as text.
struct JSONList: Encodable {
  /// A record: its fields in the order of their names, each with its value as JSON text.
  typealias Record = [(name: String, word: String)]

  let records: [Record]

  func encode(to encoder: any Encoder) { _ = encoder.unkeyedContainer() }

  /// As the encoder writes a list at the top of a document for people.
  var text: [UInt8] {
    var text = Array("[".utf8)
    for (place, record) in records.enumerated() {
      text.append(contentsOf: (place == 0 ? "\n    {" : ",\n    {").utf8)
      for (place, (name, word)) in record.enumerated() {
        text.append(contentsOf: (place == 0 ? "\n      \"" : ",\n      \"").utf8)
        text.append(contentsOf: name.utf8)
        text.append(contentsOf: "\" : ".utf8)
        text.append(contentsOf: word.utf8)
      }
      text.append(contentsOf: "\n    }".utf8)
    }
    text.append(contentsOf: (records.isEmpty ? "\n\n  ]" : "\n  ]").utf8)
    return text
  }
}

extension LongDocument {
  /// Puts the lists into the text of the document. No other line looks like theirs: a text's own line breaks are escaped.
  func completed(_ text: [UInt8]) -> [UInt8] {
    lists.reduce(text) { text, part in
      let name = Array("\n  \"\(part.name)\" : ".utf8)
      guard let place = text.firstRange(of: name + JSONList(records: []).text) else { return text }
      return Array(text[..<place.lowerBound]) + name + part.list.text + text[place.upperBound...]
    }
  }
}
