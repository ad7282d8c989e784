import Dispatch
import Foundation
import FoundationNetworking

// What swift-corelibs-foundation's own download task takes for one file:
//
//     foundation-bench URL DESTINATION
guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[1]) else {
  print("usage: foundation-bench URL DESTINATION")
  exit(64)
}
let done = DispatchSemaphore(value: 0)
let destination = URL(fileURLWithPath: CommandLine.arguments[2])
URLSession.shared.downloadTask(with: url) { location, _, error in
  defer { done.signal() }
  guard let location else {
    print("failed: \(error.map { "\($0)" } ?? "no file")")
    exit(1)
  }
  do {
    try FileManager.default.moveItem(at: location, to: destination)
  } catch {
    print("failed: \(error)")
    exit(1)
  }
}.resume()
done.wait()
