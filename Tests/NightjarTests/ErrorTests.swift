import Foundation
import NightjarModel
import NightjarWire
import Testing

@testable import Nightjar

@Suite struct ErrorTests {
  @Test(arguments: TransferFailure.Code.allCases)
  func `every failure has the code that Apple would give`(code: TransferFailure.Code) {
    let expected: URLError.Code =
      switch code {
      case .badURL: .badURL
      case .cannotFindHost: .cannotFindHost
      case .cannotConnect: .cannotConnectToHost
      case .notConnected: .notConnectedToInternet
      case .connectionLost: .networkConnectionLost
      case .timedOut, .resourceTimedOut: .timedOut
      case .secureConnectionFailed: .secureConnectionFailed
      case .certificateUntrusted: .serverCertificateUntrusted
      case .certificateExpired: .serverCertificateHasBadDate
      case .certificateNotYetValid: .serverCertificateNotYetValid
      case .clientCertificateRequired: .clientCertificateRequired
      case .tooManyRedirects: .httpTooManyRedirects
      case .badRedirect: .redirectToNonExistentLocation
      case .badServerResponse, .serverBusy: .badServerResponse
      case .diskFull, .cannotWrite: .cannotWriteToFile
      case .cannotReadSource: .cannotOpenFile
      case .sourceChanged: .requestBodyStreamExhausted
      case .destinationExists: .cannotCreateFile
      case .checksumMismatch: .cannotDecodeContentData
      case .cancelled, .cancelledByPerson, .appRemoved: .cancelled
      }

    let error = SessionFailure(FailureMessage(code: code.rawValue, detail: "why")).error(for: World.film)

    #expect(error.code == expected && error.localizedDescription == "why" && error.failingURL == World.film)
  }

  @Test(arguments: TransferFailure.Code.allCases)
  func `a reason stands with what a person has cancelled, and with nothing else`(code: TransferFailure.Code) {
    let error = SessionFailure(FailureMessage(code: code.rawValue, detail: "why")).error(for: nil)

    #expect(error.backgroundTaskCancelledReason == (code == .cancelledByPerson ? .userForceQuitApplication : nil))
    #expect(error.networkUnavailableReason == nil)
  }

  @Test(arguments: [
    (FailureMessage.Network.cellular, URLError.NetworkUnavailableReason.cellular), (.expensive, .expensive),
    (.constrained, .constrained),
  ])
  func `a network that could not be used stands as the reason`(
    network: FailureMessage.Network, reason: URLError.NetworkUnavailableReason
  ) {
    let message = FailureMessage(code: "resourceTimedOut", detail: "why", network: network)

    let error = SessionFailure(message).error(for: World.film)

    #expect(error.code == .timedOut && error.networkUnavailableReason == reason)
  }

  @Test(arguments: [
    ("transfer closed with 500 bytes remaining to read", URLError.Code.unknown, URLError.Code.networkConnectionLost),
    ("end of response with 500 bytes missing", .unknown, .networkConnectionLost),
    ("Empty reply from server", .badServerResponse, .networkConnectionLost),
    ("Recv failure: Connection reset by peer", .unknown, .networkConnectionLost),
    ("Send failure: Broken pipe", .unknown, .networkConnectionLost),
    ("OpenSSL SSL_read: SSL routines::unexpected eof while reading, errno 0", .unknown, .networkConnectionLost),
    ("OpenSSL SSL_connect: SSL routines::unexpected eof while reading", .unknown, .unknown),
    ("SSL certificate problem: self-signed certificate", .unknown, .unknown),
    ("Recv failure: Connection refused", .cannotConnectToHost, .cannotConnectToHost),
  ])
  func `a connection that libcurl has lost has Apple's code, and libcurl's words`(
    words: String, code: URLError.Code, told: URLError.Code
  ) {
    let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: words]).telling(World.film)

    #expect(error.code == told && error.localizedDescription == words && error.failingURL == World.film)
  }

  @Test func `a failure of a later daemon is unknown and keeps its words`() {
    let error = SessionFailure(FailureMessage(code: "sunSpots", detail: "sun spots")).error(for: nil)

    #expect(error.code == .unknown && error.localizedDescription == "sun spots" && error.failingURL == nil)
  }

  @Test(arguments: [
    (Refusal.invalidRequest(field: "url", reason: "no host"), URLError.Code.badURL),
    (.invalidRequest(field: "method", reason: "no token"), .badURL),
    (.invalidRequest(field: "headers", reason: "a line break"), .badURL),
    (.invalidRequest(field: "priority", reason: "too high"), .unknown),
    (.invalidRequest(field: "file", reason: "not there"), .cannotOpenFile),
    (.limitReached(what: "tasks", limit: 1), .resourceUnavailable),
    (.sessionInUse(pid: 3), .backgroundSessionInUseByAnotherProcess),
    (.noSuchTask, .backgroundSessionWasDisconnected), (.other(name: "a.b.C"), .unknown),
  ])
  func `a refusal becomes an error`(refusal: Refusal, code: URLError.Code) {
    #expect(SessionFailure(refusal).code == code)
  }

  @Test func `a word to a standard error that takes none does no harm`() async {
    await #expect(processExitsWith: .success) {
      dup2(open("/dev/full", O_WRONLY), 2)
      Console.warn("the disk is full")
    }
  }
}
