import ArgumentParser
import Dispatch
import NightjarWire
import Synchronization
import Varlink

/// Queues many tasks through the App interface, as a program does, and says how fast they were accepted: an answer
/// counts, and it comes after the commit.
@main
struct QueueBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue-bench", abstract: "Queues tasks with a running daemon and prints how many it accepted a second."
  )

  @Option(help: "The daemon's socket.") var socket: String
  @Option(help: "How many tasks.") var count = 100_000
  @Option(help: "Where the tasks point: a server that takes connections and does not answer.") var url: String
  @Option(help: "The name to register under.") var name = "queue-bench"

  func run() throws {
    let stream = try VarlinkClient(to: VarlinkAddress(path: socket))
    let calls = try VarlinkClient(to: VarlinkAddress(path: socket))
    try attach(stream)
    let session = try calls.call(AppInterface.OpenSession.self, .init(session: "bench"))
    let clock = ContinuousClock()
    let answered = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
    let time = try clock.measure {
      for task in session.nextTask..<session.nextTask + Int64(count) {
        try calls.send(AppInterface.Enqueue.self, .init(session: "bench", task: newTask(task))) { result in
          if case .failure(let error) = result, refused.wrappingAdd(1, ordering: .relaxed).newValue == 1 {
            print("refused: \(error)")
          }
          if answered.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count { done.signal() }
        }
      }
      done.wait()
    }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    print("accepted \(count) in \(seconds) s: \(Int(Double(count) / seconds)) a second")
    calls.close()
    stream.close()
    let lost = refused.load(ordering: .acquiring)
    guard lost == 0 else { throw ValidationError("\(lost) of \(count) were refused: the figure counts too many") }
  }

  private func attach(_ stream: VarlinkClient) throws {
    let attached = DispatchSemaphore(value: 0)
    let program = AppInterface.Program(name: name)
    try stream.stream(AppInterface.Attach.self, .init(program: program)) { reply in
      if reply.attached != nil { attached.signal() }
    } end: { error in
      if let error { print("the attachment ended: \(error)") }
      attached.signal()
    }
    attached.wait()
  }

  private func newTask(_ task: Int64) -> AppInterface.NewTask {
    let key = String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16)
    return AppInterface.NewTask(
      key: key + key, task: task, direction: .download, method: "GET", url: "\(url)/item/\(task)",
      headers: [WireHeader(name: "Accept", value: "application/octet-stream")], label: "item \(task)")
  }
}
