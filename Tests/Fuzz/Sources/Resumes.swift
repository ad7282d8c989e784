import Foundation
import FoundationNetworking
@testable import Nightjar
import NightjarModel
import NightjarWire

/// Resume data is read or refused. What is read names an upload or a download, and says the same once it is written.
func fuzzResumeData(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let read = try? ResumeData(Data(bytes)) else { return }
  let scheme = read.request.url?.scheme?.lowercased()
  precondition(scheme == "http" || scheme == "https", "a URL with the scheme \(scheme ?? "none")")
  precondition(read.token.utf8.count == 32, "a token of \(read.token.utf8.count) bytes")
  precondition(read.file?.hasPrefix("/") ?? true, "the file \(read.file ?? "")")
  let remnant = AppInterface.Remnant(token: read.token, offset: 0)
  guard let data = ResumeData.of(remnant, request: read.request, file: read.file), let again = try? ResumeData(data)
  else { fatalError("cannot be read once it is written") }
  precondition(again.token == read.token && again.file == read.file, "is another's once it is written")
  let place = read.request.url?.absoluteString.withoutCredentials
  precondition(again.request.url?.absoluteString == place, "points elsewhere once written")
}
