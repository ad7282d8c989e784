import Foundation
import Testing

import class FoundationNetworking.NSURLRequest
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// What Apple's Foundation has, Foundation on Linux lacks, and this library adds.
@Suite struct GapTests {
  @Test func `a progress keeps what is said of its files, as Foundation's user info does`() {
    let progress = Progress(totalUnitCount: 10)
    progress.setUserInfoObject(7, forKey: .throughputKey)
    #expect(progress.throughput == 7 && progress.fileURL == nil && progress.estimatedTimeRemaining == nil)

    (progress.fileOperationKind, progress.fileURL) = (.downloading, World.film)
    (progress.fileTotalCount, progress.fileCompletedCount) = (3, 1)
    (progress.throughput, progress.estimatedTimeRemaining) = (nil, 2.5)

    #expect(progress.fileOperationKind == .downloading && progress.fileURL == World.film)
    #expect(progress.fileTotalCount == 3 && progress.fileCompletedCount == 1)
    #expect(progress.throughput == nil && progress.estimatedTimeRemaining == 2.5)
    #expect(progress.userInfo[.fileURLKey] as? URL == World.film && progress.userInfo[.throughputKey] == nil)
  }

  @Test func `a request takes all of Apple's kinds of traffic`() {
    var request = URLRequest(url: World.film)

    for kind in [.responsiveData, .avStreaming, .responsiveAV, .callSignaling] as [NSURLRequest.NetworkServiceType] {
      request.networkServiceType = kind
      #expect(request.networkServiceType == kind)
    }
  }
}
