import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// The example Daybook: what becomes of notes for which there is no room, or that cannot be read.
  @Suite struct DaybookTests {
    @Test func `a full book says so, keeps the text in the field, and shows as much as a view holds`() async throws {
      try await withHome(.impatient) { home in
        let daybook = Daybook(home: home)
        let text = String(repeating: "n", count: 2000)
        let notes: [[String: Any]] = (1...500).map { ["id": $0, "text": text, "written": 0, "isDone": false] }
        try await daybook.open(with: JSONSerialization.data(withJSONObject: ["entries": notes]))
        try await daybook.says("500 in all")

        try await home.run(["act", Daybook.id, "write", "text=one too many"])
        try await daybook.says("The book is full")
        let view = try await daybook.view()

        #expect(view.contains("value='one too many'") && view.contains(" more</li>"))
      }
    }

    @Test func `notes that cannot be read are said to be so, and never written over`() async throws {
      try await withHome(.impatient) { home in
        let (daybook, damaged) = (Daybook(home: home), Data("no notes".utf8))
        try await daybook.open(with: damaged)

        try await daybook.says("cannot be read, and are left as they are")
        try await home.run(["act", Daybook.id, "write", "text=another"])
        try await home.run(["leave"])
        try await eventually("it has done with it") { try await daybook.state() == .suspended }

        #expect(Files.bytes(daybook.file) == damaged)
      }
    }

    @Test func `a note that cannot be kept goes back into the field, and the reason is shown`() async throws {
      try await withHome(.impatient) { home in
        let daybook = Daybook(home: home)
        try await daybook.open(with: nil)
        try await daybook.says("0 in all")

        try FileManager.default.removeItem(atPath: (daybook.file as NSString).deletingLastPathComponent)
        try await home.run(["act", Daybook.id, "write", "text=lost and found"])
        try await daybook.says("This cannot be kept")
        let view = try await daybook.view()

        #expect(view.contains("value='lost and found'") && view.contains("0 in all"))
      }
    }
  }
}

/// The example Daybook in a home.
private struct Daybook {
  static let id = "dev.nightjar.Daybook"

  let home: Home

  /// Where it keeps its notes.
  var file: String { home.path + "/data/containers/\(Self.id)/Documents/daybook.json" }

  /// Starts the daemon, installs the app, and opens it with a file of notes, if there is one.
  func open(with notes: Data?) async throws {
    if let notes { try Files.write(notes, to: file) }
    try await home.start()
    try await home.run(["install", try bundle()])
    try await home.run(["launch", Self.id])
  }

  func says(_ words: String) async throws {
    try await eventually("it says “\(words)”") { try await view().contains(words) }
  }

  func view() async throws -> String {
    try await home.call(ControlInterface.ShowView.self, .init(app: Self.id)).html ?? ""
  }

  func state() async throws -> ControlInterface.App.State? {
    try await home.call(ControlInterface.ListApps.self).apps.first { $0.id == Self.id }?.state
  }

  private func bundle() throws -> String {
    let bundle = home.folder + "/Daybook.app"
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/Daybook/Bundle")
    try FileManager.default.copyItem(atPath: source.standardized.path, toPath: bundle)
    try FileManager.default.copyItem(atPath: Home.programs + "/Daybook", toPath: bundle + "/Daybook")
    return bundle
  }
}
