import Foundation
import Nightjar
import WeatherModel

import class FoundationNetworking.HTTPURLResponse  // These two types: MemberImportVisibility asks for their module.
import struct FoundationNetworking.URLRequest

extension WeatherSource {
  /// Seconds until an answer has to be there: a fetch in the background has thirty altogether.
  static let timeout = 12.0

  /// Asks the service, now.
  ///
  /// - Throws: `WeatherTrouble`, whatever goes wrong.
  func read(with session: URLSession) async throws(WeatherTrouble) -> Reading {
    let url = try question()
    let (data, status) = try await load(url, with: session)
    return try Reading(answer: data, status: status, city: city)
  }

  /// The body and the status, reading no more than an answer may have and one byte.
  private func load(_ url: URL, with session: URLSession) async throws(WeatherTrouble) -> (Data, Int) {
    do {
      let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.timeout)
      let (bytes, response) = try await session.bytes(for: request)
      var data = Data()
      for try await byte in bytes {
        data.append(byte)
        if data.count > Reading.answerBytesMax { break }
      }
      return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    } catch {
      throw WeatherTrouble(silenceOf: url, because: error.localizedDescription)
    }
  }
}
