import Foundation
import Nightjar
import Testing

@Suite struct FolderTests {
  @Test func `an app's folders have Apple's names, and are those that Foundation knows`() {
    let known: [(URL, FileManager.SearchPathDirectory)] = [
      (.documentsDirectory, .documentDirectory), (.cachesDirectory, .cachesDirectory),
      (.applicationSupportDirectory, .applicationSupportDirectory),
    ]
    for (url, kind) in known {
      #expect(url.path == FileManager.default.urls(for: kind, in: .userDomainMask)[0].path)
      #expect(url.hasDirectoryPath)
    }
    #expect(URL.libraryDirectory.path == NSHomeDirectory() + "/Library")
  }
}
