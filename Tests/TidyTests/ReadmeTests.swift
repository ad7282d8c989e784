import Foundation
import Testing

@Suite struct ReadmeTests {
  @Test func `the README's example is an app that is compiled here, word for word`() throws {
    let readme = try text("README.md")
    let example = try text("Tests/Fixtures/ReadmeApp/AppDelegate.swift")

    #expect(readme.contains("```swift\n\(example)```\n"))
  }

  @Test(arguments: [
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "Sources", "Examples",
  ])
  func `what a page links to in this repository is there`(_ place: String) throws {
    for page in try pages(place) {
      for target in links(try text(page)) {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        let file = Sources.root.appending(path: folder).appending(path: target)
        #expect(FileManager.default.fileExists(atPath: file.path()), "\(page) links to \(target)")
      }
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Sources.root.appending(path: path), encoding: .utf8)
  }

  /// A page, or all pages below a folder.
  private func pages(_ place: String) throws -> [String] {
    place.hasSuffix(".md") ? [place] : Sources.files(below: place, endings: ["md"]).map(\.path)
  }

  /// The paths of a page's links that lead neither elsewhere nor to a place in the same page.
  private func links(_ page: String) -> [String] {
    page.matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)|src="([^"]+)"/).compactMap { $0.output.1 ?? $0.output.2 }
      .map(String.init).filter { !$0.contains(":") }
  }
}
