public import Foundation
public import FoundationNetworking
import Synchronization

// iOS refuses uploads from data in background sessions and loses those from a stream when the app exits. Here their
// bytes are written to the app's container and synced, so that they survive like an upload from a file.

extension URLSession {
  /// Creates an upload of data, suspended. In a background session the data is synced to the disk when `resume()`
  /// returns; a full disk ends the task with `URLError.cannotWriteToFile`.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    switch home {
    case .process(let local): local.uploadTask(with: request, .data(bodyData), in: self, .delegate)
    case .daemon(let link): link.spooling(checked(request, for: "uploads"), .data(bodyData), in: self)
    }
  }

  /// Creates an upload of a stream, suspended. The delegate is asked for the stream by `needNewBodyStream` when the
  /// task is resumed. A background session reads it to its end before it sends anything; from then on the upload
  /// survives the end of the process.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    switch home {
    case .process(let local): local.uploadTask(with: request, .stream, in: self, .delegate)
    case .daemon(let link): link.spooling(checked(request, for: "uploads"), .stream, in: self)
    }
  }
}

extension Link {
  fileprivate func spooling(
    _ request: URLRequest, _ source: SpoolSource, in session: URLSession
  ) -> URLSessionUploadTask {
    keeping(request, in: session) { session, number, request, facts in
      let file = spool(of: session)?.path(ofTask: number) ?? ""
      var facts = facts
      facts.source = source
      return URLSessionUploadTask(
        session: session, identifier: number, request: request, kind: .upload(file: file), facts: facts)
    }
  }
}
