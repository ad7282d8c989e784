import Foundation
import Nightjar

/// Where each file is from, and which version of it came; kept in a file, since the app may be ended at any moment.
struct Origins {
  struct Origin: Codable {
    var address: URL
    var version: String?
  }

  private let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/origins.json")
  private var origins: [String: Origin]

  init() {
    let saved = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: Origin].self, from: $0) }
    origins = saved ?? [:]
  }

  subscript(name: String) -> Origin? { origins[name] }

  mutating func note(_ address: URL, of name: String) {
    origins[name, default: Origin(address: address)].address = address
    save()
  }

  mutating func note(version: String?, of name: String) {
    origins[name]?.version = version
    save()
  }

  private func save() {
    do {
      try JSONEncoder().encode(origins).write(to: file, options: .atomic)
    } catch {
      print("Could not write \(file.path): \(error.localizedDescription)")
    }
  }
}

extension HTTPURLResponse {
  /// What the server calls this version.
  var version: String? { value(forHTTPHeaderField: "ETag") ?? value(forHTTPHeaderField: "Last-Modified") }
}
