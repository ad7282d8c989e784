import Foundation
import Patience

/// Chromium without a window, driven through chromedriver (W3C WebDriver: https://www.w3.org/TR/webdriver2/).
final class Browser {
  private let driver: Spawned
  private let port: Int
  private var base = ""

  /// Starts a browser that keeps everything in a folder.
  init(folder: String) async throws {
    let variables = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { (name, $0) }
    }
    let environment = ["HOME": folder, "TMPDIR": folder].merging(variables) { $1 }
    let driver = try Spawned(["chromedriver", "--port=0"], environment: environment, output: folder + "/driver.log")
    let port = try await eventually("the browser's driver listens") {
      driver.text.firstMatch(of: /on port (\d+)\./).flatMap { Int($0.1) }
    }
    (self.driver, self.port) = (driver, port)
    let arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1000,760",
      "--user-data-dir=\(folder)/browser",
    ]
    let wanted: [String: Any] = ["alwaysMatch": ["goog:chromeOptions": ["args": arguments]]]
    let session = try send("POST", "/session", ["capabilities": wanted]) as? [String: Any]
    base = "/session/\(session?["sessionId"] as? String ?? "")"
  }

  /// Ends the browser.
  func close() {
    _ = try? send("DELETE", "", nil)
    driver.crash()
  }

  func go(to url: String) throws { _ = try send("POST", "/url", ["url": url]) }

  /// Gives the page a screen of this size, which may be smaller than any window.
  func resize(width: Int, height: Int) throws {
    let screen: [String: Any] = ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": true]
    _ = try send(
      "POST", "/goog/cdp/execute", ["cmd": "Emulation.setDeviceMetricsOverride", "params": screen])
  }

  /// What an expression is worth in the page, as text.
  func read(_ expression: String) throws -> String { try run("return String(\(expression))") }

  private func run(_ script: String) throws -> String {
    try send("POST", "/execute/sync", ["script": script, "args": [String]()]) as? String ?? ""
  }

  /// Waits until an expression is worth something in the page. Until then it may as well fail: what it reads may not be
  /// there.
  func wait(_ what: String, for expression: String, toBe wanted: String = "true") async throws {
    var last = ""
    do {
      try await eventually(what) {
        last = try run("try { return String(\(expression)) } catch (error) { return String(error) }")
        return last == wanted
      }
    } catch let error as NeverHappened {
      throw NeverHappened(description: "\(error); \(expression) is \(last)")
    }
  }

  /// Clicks where the first element of a selector is, as a person's mouse does, as soon as it is there and nothing is
  /// in the way.
  func click(_ selector: String) async throws {
    _ =
      try await eventually("\(selector) can be clicked") {
        do { return try send("POST", "/element/\(element(selector))/click", [:]) ?? NSNull() } catch is NeverHappened {
          return nil
        }
      } as Any
  }

  /// Types into the element of a selector.
  func type(_ text: String, into selector: String) throws {
    _ = try send("POST", "/element/\(element(selector))/value", ["text": text])
  }

  /// Presses a key and lets it go, wherever the focus is. It is held for as long as a person holds one: what it does
  /// may take away the frame that has the focus, and Chromium answers nothing to a key that is let go in the midst of
  /// that.
  func press(_ key: Key) throws {
    let actions: [[String: Any]] = [
      ["type": "keyDown", "value": key.rawValue], ["type": "pause", "duration": 100],
      ["type": "keyUp", "value": key.rawValue],
    ]
    let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
    _ = try send("POST", "/actions", ["actions": [keyboard]])
  }

  /// Goes into the first frame of a selector, or out again, for what is read and clicked next.
  func enter(frame selector: String?) throws {
    let frame: Any = try selector.map { ["element-6066-11e4-a52e-4f735466cecf": try element($0)] } ?? NSNull()
    _ = try send("POST", "/frame", ["id": frame])
  }

  /// Keys that write nothing, by WebDriver's numbers for them.
  enum Key: String {
    case tab = "\u{E004}", enter = "\u{E007}", escape = "\u{E00C}", delete = "\u{E017}", right = "\u{E014}"
    case left = "\u{E012}"
  }

  private func element(_ selector: String) throws -> String {
    let found = try send("POST", "/element", ["using": "css selector", "value": selector]) as? [String: String]
    return found?.values.first ?? ""
  }

  private func send(_ method: String, _ path: String, _ body: [String: Any]?) throws -> Any? {
    let bytes = try body.map { try JSONSerialization.data(withJSONObject: $0) }
    let reply = try PlainHTTP.send(
      method, base + path, port: port, fields: ["Content-Type": "application/json"], body: bytes)
    let answer = try JSONSerialization.jsonObject(with: reply.body) as? [String: Any]
    guard reply.status == 200 else {
      let words = String(decoding: reply.body.prefix(600), as: UTF8.self)
      throw NeverHappened(description: "\(method) \(path) \(body ?? [:]): \(words)")
    }
    return answer?["value"]
  }
}
