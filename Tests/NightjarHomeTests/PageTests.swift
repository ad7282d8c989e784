import Foundation
import Testing

@testable import NightjarHome

@Suite struct PageTests {
  @Test func `the page weighs at most 150 kB, scripts and styles and all`() {
    let weight = Asset.all.map(\.bytes.count).reduce(0, +) + PackageResources.view_html.count

    #expect(weight <= 150_000 && Asset.all.allSatisfy { !$0.bytes.isEmpty })
  }

  @Test func `every module of the page's script is served as one, and is known to the browser from the beginning`() {
    let scripts = Asset.all.filter { $0.path.hasSuffix(".js") }
    let document = String(decoding: PackageResources.home_html, as: UTF8.self)

    let imported = scripts.flatMap { script in
      String(decoding: script.bytes, as: UTF8.self).matches(of: /from "\.(\/[a-z]+\.js)"/).map { String($0.1) }
    }
    let named = document.matches(of: /(?:modulepreload" href|module" src)="([a-z]+\.js)"/).map { "/\($0.1)" }

    #expect(Set(imported).union(["/home.js"]) == Set(scripts.map(\.path)))
    #expect(named.sorted() == scripts.map(\.path).sorted())
    #expect(scripts.allSatisfy { $0.type == "text/javascript; charset=utf-8" })
  }

  @Test func `nothing that came as data is ever read as markup, and nobody else's script is called for`() {
    let text = Asset.all.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    let risky = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "https://"]

    let found = risky.filter(text.contains)

    #expect(found.isEmpty)
  }

  @Test func `small white text can be read wherever it stands on the sky, by day and by night`() {
    let style = String(decoding: PackageResources.home_css, as: UTF8.self)
    let skies = style.matches(of: /--sky:([^;]+);/).map { String($0.1) }
    let colours = skies.flatMap { sky in sky.matches(of: /#([0-9a-f]{6})\b/).map { String($0.1) } }

    let contrasts = colours.map(Self.contrastToWhite)

    #expect(skies.count == 2 && colours.count >= 10)
    #expect(contrasts.allSatisfy { $0 >= 4.5 }, "\(Array(zip(colours, contrasts)))")
  }

  /// The contrast ratio of WCAG 2.2. What colours of sRGB are mixed to is never lighter than the lightest of them.
  private static func contrastToWhite(_ colour: String) -> Double {
    let bits = UInt32(colour, radix: 16) ?? 0xFFFFFF
    let light = [16, 8, 0].map { shift -> Double in
      let share = Double((bits >> shift) & 0xFF) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 1.05 / (0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05)
  }

  @Test func `each view's frame has a policy of its own, under which only our script runs`() {
    let policies = (1...2).map { ViewFrame.policy(nonce: "n\($0)") }

    #expect(policies[0] != policies[1])
    for part in ["default-src 'none'", "form-action 'none'", "script-src 'nonce-n1'", "sandbox allow-scripts"] {
      #expect(policies[0].contains(part))
    }
  }

  @Test func `the file that lets a browser in is read by its user alone, and holds the newest code`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let invitation = Invitation(path: folder.path() + "/home.html", address: "http://127.0.0.1:4711/")

    try invitation.write("AAAA-AAAA-AAAA")
    try invitation.write("BBBB-BBBB-BBBB")

    let text = try String(contentsOfFile: invitation.path, encoding: .utf8)
    let mode = try FileManager.default.attributesOfItem(atPath: invitation.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(text.contains("location.replace(\"http://127.0.0.1:4711/#BBBB-BBBB-BBBB\")") && !text.contains("AAAA"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["home.html"])
    invitation.remove()
    #expect(!FileManager.default.fileExists(atPath: invitation.path))
  }

  @Test func `an invitation that cannot be written says where and why`() {
    let invitation = Invitation(path: "/proc/nowhere/home.html", address: "http://127.0.0.1:4711/")

    let error = #expect(throws: HomeError.self) { try invitation.write("AAAA-AAAA-AAAA") }

    #expect(error?.code == .unwritable && error?.detail.contains("/proc/nowhere") == true)
  }
}
