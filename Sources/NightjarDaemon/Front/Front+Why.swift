import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

extension Front {
  /// Answers a question about transfers with their messages.
  func show<P: Sendable, R: Sendable>(
    _ question: ControlCall, _ call: VarlinkCall<P, R>,
    translate: @escaping @Sendable ([ControlInterface.Transfer], Bool) -> R?
  ) {
    order(question, call) { answer in
      guard case .transfers(let views, let isComplete) = answer else { return nil }
      return translate(views.map(\.message), isComplete)
    }
  }

  /// Answers `Why`: the verdict first, then what led to it.
  func why(_ id: TransferID, _ call: VarlinkCall<ControlInterface.Why.Parameters, ControlInterface.Why.Reply>) {
    order(.showTransfer(id), call) { answer in
      guard case .transfers(let views, _) = answer, let view = views.first else { return nil }
      return .init(sentences: view.sentences)
    }
  }
}
