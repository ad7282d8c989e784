public import Foundation
public import FoundationNetworking

// The forms that wait for the end, without a delegate. Apple has both: a method with a default for its last parameter
// meets no requirement of a protocol that leaves it out, and that is how apps put something else in the place of a
// session.

extension URLSession {
  /// The same as ``data(for:delegate:)`` without a delegate.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, delegate: nil)
  }

  /// The same as ``data(from:delegate:)`` without a delegate.
  public func data(from url: URL) async throws -> (Data, URLResponse) { try await data(from: url, delegate: nil) }

  /// The same as ``upload(for:from:delegate:)`` without a delegate.
  public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: bodyData, delegate: nil)
  }

  /// The same as ``upload(for:fromFile:delegate:)`` without a delegate.
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    try await upload(for: request, fromFile: file, delegate: nil)
  }

  /// The same as ``upload(resumeFrom:delegate:)`` without a delegate.
  public func upload(resumeFrom resumeData: Data) async throws -> (Data, URLResponse) {
    try await upload(resumeFrom: resumeData, delegate: nil)
  }

  /// The same as ``download(for:delegate:)`` without a delegate.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    try await download(for: request, delegate: nil)
  }

  /// The same as ``download(from:delegate:)`` without a delegate.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(from: url, delegate: nil)
  }

  /// The same as ``download(resumeFrom:delegate:)`` without a delegate.
  public func download(resumeFrom resumeData: Data) async throws -> (URL, URLResponse) {
    try await download(resumeFrom: resumeData, delegate: nil)
  }

  /// The same as ``bytes(for:delegate:)`` without a delegate.
  public func bytes(for request: URLRequest) async throws -> (AsyncBytes, URLResponse) {
    try await bytes(for: request, delegate: nil)
  }

  /// The same as ``bytes(from:delegate:)`` without a delegate.
  public func bytes(from url: URL) async throws -> (AsyncBytes, URLResponse) {
    try await bytes(from: url, delegate: nil)
  }
}
