import Foundation
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

/// A whole app as a process: `@main`, its run loop, its signals, its deaths.
@Suite(.blocking) struct ProbeTests {
  let world = World()
  var container: String { world.folder + "/container" }

  @Test func `an app in the background is launched, told, and gives back its right to run`() throws {
    let daemon = try SocketDaemon(in: world.folder, isBackground: true)
    try ProbeProcess.prepare(container, #"{"transfers": [{"name": "a", "url": "http://films.example/a"}]}"#)

    let probe = try ProbeProcess(container: container, socket: daemon.socket)
    daemon.wait(for: "enqueue 1")
    daemon.say(.init(handleEvents: .init(session: "probe")))
    daemon.say(.init(ended: try world.end(1, task: 1, text: "film", session: "probe")))
    daemon.say(.init(eventsFinished: .init(session: "probe")))
    daemon.wait(for: "finish probe")
    kill(probe.pid, SIGTERM)

    #expect(probe.end() == 0)
    let heard = ProbeProcess.heard(in: container).filter { $0 != "queued a" }
    #expect(heard.prefix(2) == ["didFinishLaunching", "didEnterBackground"])
    #expect(
      heard.filter { $0 != "handleEvents" }.dropFirst(2) == [
        "didWriteData a", "didFinishDownloadingTo a", "metrics a", "didComplete a", "didFinishEvents",
        "handlerCalled", "willTerminate",
      ])
    #expect(heard.contains("handleEvents"))
    #expect(try String(contentsOfFile: container + "/Documents/files/a", encoding: .utf8) == "film")
  }

  @Test func `an app that dies in a delegate call is told again in its next life`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    let transfers = #""transfers": [{"name": "a", "url": "http://films.example/a"}]"#
    try ProbeProcess.prepare(container, "{\(transfers), \"diesIn\": [\"didFinishDownloadingTo\"]}")
    let event = try world.end(1, task: 1, text: "film", session: "probe")

    let first = try ProbeProcess(container: container, socket: daemon.socket)
    daemon.wait(for: "enqueue 1")
    daemon.say(.init(ended: event))
    #expect(first.end() == SIGKILL)
    try ProbeProcess.prepare(container, "{\(transfers), \"quitsWhenDone\": true}")
    let second = try ProbeProcess(container: container, socket: daemon.socket)
    daemon.wait(for: "open probe", times: 2)
    daemon.say(.init(ended: event))

    #expect(second.end() == 0)
    let heard = ProbeProcess.heard(in: container)
    #expect(heard.filter { $0 == "didFinishDownloadingTo a" }.count == 2)
    #expect(heard.filter { $0 == "didComplete a" }.count == 1 && heard.filter { $0 == "queued a" }.count == 1)
  }

  @Test func `a process that exits while a delegate call returns has acknowledged what it was told`() throws {
    let daemon = try SocketDaemon(in: world.folder)
    try ProbeProcess.prepare(
      container,
      """
      {"transfers": [{"name": "a", "url": "http://films.example/a"}], "quitsWhenDone": true, "quitsElsewhere": true}
      """)

    let probe = try ProbeProcess(container: container, socket: daemon.socket)
    daemon.wait(for: "enqueue 1")
    daemon.say(.init(ended: try world.end(7, task: 1, text: "film", session: "probe")))

    #expect(probe.end() == 0)
    daemon.wait(for: "acknowledge 7")
  }

  @Test func `an app without a daemon queues in its outbox, and its next life hands over`() throws {
    let socket = world.folder + "/nightjar.sock"
    let transfers = (1...3).map { #"{"name": "f\#($0)", "url": "http://films.example/\#($0)"}"# }
    try ProbeProcess.prepare(container, #"{"transfers": [\#(transfers.joined(separator: ","))]}"#)

    let first = try ProbeProcess(container: container, socket: socket)
    let daemon = try SocketDaemon(in: world.folder)
    for task in 1...3 { daemon.wait(for: "enqueue \(task)") }
    kill(first.pid, SIGKILL)

    #expect(first.end() == SIGKILL)
    #expect(daemon.queued.values.sorted { $0.task < $1.task }.map(\.label) == ["f1", "f2", "f3"])
    #expect(daemon.attached.allSatisfy { $0 == nil })
  }
}
