import Glibc
import NightjarModel
import ScriptedServer

@testable import NightjarTransfer

extension Workshop {
  /// What is delivered.
  static let delivered = Content(seed: 1, size: 5000).bytes

  /// A staged file, and the order to put it somewhere.
  func order(to path: String, overwrites: Bool = false, attempt: Int = 1) -> DeliveryOrder {
    let part = part()
    if access(part, F_OK) != 0 { Disk.write(Self.delivered, to: part) }
    return DeliveryOrder(
      id: TransferID(1), attempt: attempt, file: StagedFile(path: part, stamp: Disk.stamp(part)),
      destination: Destination(path: path, overwrites: overwrites))
  }

  func deliver(_ order: DeliveryOrder) async throws -> DeliveryFact {
    engine.deliver(order)
    return try await log.nextDelivery()
  }
}

extension DeliveryFact {
  /// Why it failed; nil if it did not.
  var code: TransferFailure.Code? {
    if case .failed(let failure) = self { failure.code } else { nil }
  }
}
