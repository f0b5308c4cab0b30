package import Errand

/// Records what is observed, in the order in which the exchanges begin.
package final class ExchangeRecorder: ExchangeObserver {
    package struct Entry: Sendable {
        package let exchange: ObservedExchange
        package var outcomes: [ExchangeOutcome] = []
    }

    private let recorded = Locked<[Entry]>([])

    package init() {}

    package var entries: [Entry] { recorded.withLock { $0 } }

    /// A line for each exchange, such as `GET /users/{id} 1 -> 503 error 503`.
    package var lines: [String] { entries.map(\.line) }

    package func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
        let index = recorded.withLock { entries in
            entries.append(Entry(exchange: exchange))
            return entries.count - 1
        }
        return Observation(recorder: self, index: index)
    }

    private struct Observation: ExchangeObservation {
        let recorder: ExchangeRecorder
        let index: Int

        func ended(_ outcome: ExchangeOutcome) {
            recorder.recorded.withLock { $0[index].outcomes.append(outcome) }
        }
    }
}

extension ExchangeRecorder.Entry {
    fileprivate var line: String {
        var words = [exchange.name, "\(exchange.resendCount)"]
        if exchange.redirected != nil { words.append("redirected") }
        words.append("->")
        if outcomes.isEmpty { words.append("open") }
        for outcome in outcomes {
            if let status = outcome.statusCode { words.append("\(status)") }
            if outcome.wasCancelled { words.append("cancelled") }
            if let type = outcome.errorType { words.append("error \(type)") }
        }
        return words.joined(separator: " ")
    }
}
