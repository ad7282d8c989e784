import FoundationEssentials

/// The source of the library `Nightjar` for the manifest of a new app.
enum NightjarSources: Hashable, Sendable {
  /// A package in a folder of this machine.
  case folder(String)
  /// A repository.
  case repository(String)

  /// The source that a person named, or the one that belongs to this program: the checkout it was built in, or the
  /// sources that the Debian package installed with it.
  ///
  /// - Throws: `CommandError` if there is no such package.
  init(named name: String?, surroundings: Surroundings) throws(CommandError) {
    if let name, name.contains("://") || name.hasPrefix("git@") {
      guard !name.contains("\""), !name.contains("\\"), !name.contains(where: \.isNewline) else {
        throw CommandError(.usage, "'\(name)' cannot be a repository's URL.")
      }
      self = .repository(name)
    } else if let name {
      let path = try surroundings.absolute(name)
      guard Self.isPackage(path) else {
        throw CommandError(
          .usage, "\(name) does not hold Nightjar's sources: there is no Package.swift with Sources/Nightjar beside it."
        )
      }
      self = .folder(path)
    } else {
      self = try Self.besides(surroundings.program)
    }
  }

  private static func besides(_ program: String?) throws(CommandError) -> NightjarSources {
    var folder = program ?? ""
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      for candidate in [folder, folder + "/share/nightjar/package"] where isPackage(candidate) {
        return .folder(candidate)
      }
    }
    throw CommandError(
      .usage, "Nightjar's sources do not lie beside this program; say with --nightjar in which folder or repository.")
  }

  private static func isPackage(_ folder: String) -> Bool {
    let files = FileManager.default
    return files.fileExists(atPath: folder + "/Package.swift") && files.fileExists(atPath: folder + "/Sources/Nightjar")
  }

  /// The source in words for people.
  var text: String {
    switch self {
    case .folder(let path): path
    case .repository(let url): url
    }
  }

  /// The dependency in a manifest.
  var dependency: String {
    switch self {
    case .folder(let path): ".package(name: \"nightjar\", path: \"\(Self.escaped(path))\")"
    case .repository(let url): ".package(url: \"\(url)\", branch: \"main\")"
    }
  }

  /// The package's name in a manifest: for a repository the last part of its URL.
  var packageName: String {
    guard case .repository(let url) = self else { return "nightjar" }
    let last = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "nightjar"
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }

  private static func escaped(_ path: String) -> String {
    path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
