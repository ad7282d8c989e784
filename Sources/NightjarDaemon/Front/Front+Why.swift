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
    let ticket = tickets.issue { answer in
      call.answer(answer) { answer in
        guard case .transfers(let views, let isComplete) = answer else { return nil }
        return translate(views.map(\.message), isComplete)
      }
    }
    mailbox.post(.ordered(question, ticket))
  }

  /// Answers `Why`: the verdict first, then what led to it.
  func why(_ id: TransferID, _ call: VarlinkCall<ControlInterface.Why.Parameters, ControlInterface.Why.Reply>) {
    let ticket = tickets.issue { answer in
      call.answer(answer) { answer in
        guard case .transfers(let views, _) = answer, let view = views.first else { return nil }
        return .init(sentences: view.sentences)
      }
    }
    mailbox.post(.ordered(.showTransfer(id), ticket))
  }
}
