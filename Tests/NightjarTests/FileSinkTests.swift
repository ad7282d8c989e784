import Foundation
import Testing

@testable import Nightjar

/// The file of a download in this process.
@Suite struct FileSinkTests {
  private let sink = FileSink()

  @Test func `a file catches up with what was noted, in order`() throws {
    defer { sink.remove() }
    sink.append(Data("another version".utf8))
    sink.beginAnew()
    for part in ["the ", "film"] { sink.append(Data(part.utf8)) }

    let before = sink.count
    let isWritten = sink.catchUp()

    #expect(before == 0 && isWritten && sink.count == 8)
    #expect(try String(contentsOf: sink.url, encoding: .utf8) == "the film")
  }

  @Test func `nothing is written while the state is changed, and progress is told once it is written`() {
    defer { sink.remove() }
    let task = URLSession(configuration: .ephemeral).downloadTask(with: World.film)
    var state = LocalState()
    state.tasks[1] = LocalTask(task, .request, .delegate, .fresh)
    state.tasks[1]?.sink = sink
    state.numbers[5] = 1

    _ = state.hear(.received(Data("film".utf8)), of: 5)
    let (written, noted) = (sink.count, state.tasks[1]?.inbox.count)
    sink.catchUp()
    let caughtUp = state.caughtUp(5)

    #expect(written == 0 && noted == 0)
    #expect(sink.count == 4 && caughtUp === task && state.tasks[1]?.inbox.count == 1)
  }

  @Test func `bytes of a request that was dropped while they were written are no news`() {
    defer { sink.remove() }
    let task = URLSession(configuration: .ephemeral).downloadTask(with: World.film)
    var state = LocalState()
    state.tasks[1] = LocalTask(task, .request, .delegate, .fresh)
    state.tasks[1]?.sink = sink

    let caughtUp = state.caughtUp(5)

    #expect(caughtUp == nil && state.tasks[1]?.inbox.isEmpty == true)
  }
}
