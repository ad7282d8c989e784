package import Foundation
package import NightjarModel

extension URLError.Code {
  /// Apple's code for a failure of a transfer.
  package init(_ code: TransferFailure.Code) {
    self =
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
  }
}
