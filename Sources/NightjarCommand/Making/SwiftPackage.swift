import FoundationEssentials
import NightjarPlatform

/// A Swift package in a folder, as `swift` describes it.
struct SwiftPackage: Sendable {
  let folder: String
  /// Its executable products, by name.
  let products: [String]
  private let swift: Tool

  /// Asks `swift` about the package in a folder.
  init(at folder: String, environment: [String: String]) async throws(CommandError) {
    guard FileManager.default.fileExists(atPath: folder + "/Package.swift") else {
      throw CommandError(
        .usage, "There is no Package.swift in \(folder); go to your package, or make one: nightjar new.")
    }
    swift = try Tool("swift", environment: environment, remedy: "install it from https://www.swift.org/install/linux/")
    let (status, bytes) = try await swift.output(of: [
      "package", "--package-path", folder, "describe", "--type", "json",
    ])
    guard status == 0 else { throw CommandError(.failed, "`swift package describe` ended with \(status).") }
    guard let description = try? JSONDecoder().decode(Description.self, from: bytes) else {
      throw CommandError(.failed, "`swift package describe` said something that is not understood.")
    }
    self.folder = folder
    products = description.products.filter { $0.type.keys.contains("executable") }.map(\.name).sorted()
  }

  private struct Description: Decodable {
    struct Product: Decodable {
      var name: String
      var type: [String: [String]?]
    }

    var products: [Product]
  }

  /// The named product, or the only one.
  func product(_ name: String?) throws(CommandError) -> String {
    let list = products.joined(separator: ", ")
    if let name {
      guard products.contains(name) else {
        throw CommandError(
          .usage, "The package has no executable product \(name); it has \(products.isEmpty ? "none" : list).")
      }
      return name
    }
    guard products.count == 1 else {
      throw CommandError(
        .usage,
        products.isEmpty ? "The package has no executable product; an app needs one." : "Say which product: \(list).")
    }
    return products[0]
  }

  /// Builds a product; what the compiler says goes to standard error.
  ///
  /// - Throws: `CommandError` if it does not build.
  func build(_ product: String, _ options: [String]) async throws(CommandError) {
    let status = try await swift.run(["build", "--package-path", folder, "--product", product] + options)
    guard status == 0 else {
      throw CommandError(.failed, "\(product) was not built: `swift build` ended with \(status).")
    }
  }

  /// The folder that its products lie in.
  func programs(_ options: [String]) async throws(CommandError) -> String {
    let (status, bytes) = try await swift.output(of: ["build", "--package-path", folder, "--show-bin-path"] + options)
    let path = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
    guard status == 0, path.hasPrefix("/") else {
      throw CommandError(.failed, "`swift build --show-bin-path` ended with \(status) and named no folder.")
    }
    return path
  }
}
