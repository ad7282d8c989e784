import Foundation
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

@Suite struct `A piece of HTML` {
  @Test func `text that is written into it means nothing but itself`() {
    let evil = "<script>alert(1)</script>&\"'"
    let html: HTML = "<p title='\(evil)'>\(evil)</p>"
    let safe = "&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;"
    #expect(html.markup == "<p title='\(safe)'>\(safe)</p>")
  }

  @Test func `other HTML keeps its meaning, and anything else is text`() {
    let rows: [HTML] = [1, 2].map { "<li>\($0)</li>" }
    let html: HTML = "<ul>\(rows)</ul>\("<b>" as HTML)\(true)"
    #expect(html.markup == "<ul><li>1</li><li>2</li></ul><b>true")
  }
}

@Suite(.blocking) struct `Views on their way to the daemon` {
  @Test func `are sent one at a time, and of those that come meanwhile only the newest`() {
    var queue = ViewQueue()
    let first = queue.show("1")
    let (second, third) = (queue.show("2"), queue.show("3"))
    let (next, last) = (queue.arrived(), queue.arrived())
    #expect(first == "1" && second == nil && third == nil)
    #expect(next == "3" && last == nil)
    #expect(queue.show("4") == "4")
  }

  @Test func `give way to one that must be there before what follows`() {
    var queue = ViewQueue()
    _ = queue.show("1")
    _ = queue.show("2")
    queue.showAtOnce()
    #expect(queue.arrived() == nil)
  }
}

/// What an app shows. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `a view is drawn for the snapshot after didEnterBackground and before its confirmation`() {
    let world = World()
    let link = world.newLife()
    let delegate = Shower()
    world.launch(delegate, link: link)
    world.daemon.waitUntil(link) { $0.phase == .up }

    UIApplication.shared.move(.background(number: 3, remaining: .seconds(180)), link: link)
    world.daemon.waitForCalls { $0.entered != nil }

    let calls = world.daemon.calls.filter { $0.view != nil || $0.entered != nil }
    #expect(calls.suffix(2).map(\.view) == ["background", nil])
    #expect(calls.last?.entered == 3)
  }

  @Test func `a view is drawn anew for a new daemon, and what a person does reaches it`() {
    let world = World()
    let link = world.newLife()
    let delegate = Shower()
    world.launch(delegate, link: link)
    world.daemon.waitUntil(link) { $0.phase == .up }

    UIApplication.shared.move(.foreground, link: link)
    UIApplication.shared.move(.acted(.init(action: "greet", fields: ["name": "Anna"])), link: link)
    UIApplication.shared.move(.foreground, link: link)
    let views = world.daemon.waitForCalls(2) { $0.view != nil }.compactMap(\.view)

    #expect(views == ["foreground", "greet Anna"])
  }
}

/// An app with a view.
private final class Shower: UIResponder, UIApplicationDelegate {
  var window: UIWindow?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    window = UIWindow()
    window?.rootViewController = Greeter()
    window?.makeKeyAndVisible()
    return true
  }
}

private final class Greeter: HTMLViewController {
  private var greeting: String?

  override func html() -> HTML {
    let place = UIApplication.shared.applicationState == .background ? "background" : "foreground"
    return "\(greeting ?? place)"
  }

  override func perform(_ action: String, fields: [String: String]) { greeting = "\(action) \(fields["name"] ?? "")" }
}

extension Call {
  fileprivate var view: String? {
    if case .setView(let asked) = self { asked.html } else { nil }
  }
}
