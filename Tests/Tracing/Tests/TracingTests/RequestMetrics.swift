import Errand
import Metrics
import Synchronization

final class RequestMetrics: ExchangeObserver {
    private let known = Mutex<Set<[String: ExchangeAttribute]>>([])

    func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
        let active = Meter(label: "http.client.active_requests", dimensions: labels(exchange.metricAttributes))
        active.increment()
        return MeteredExchange(metrics: self, attributes: exchange.metricAttributes, active: active)
    }

    func labels(_ attributes: [String: ExchangeAttribute]) -> [(String, String)] {
        let isKnown = known.withLock { $0.contains(attributes) || ($0.count < 2_000 && $0.insert(attributes).inserted) }
        return attributes.map { ($0, isKnown ? $1.description : "_OTHER") }.sorted { $0.0 < $1.0 }
    }
}

struct MeteredExchange: ExchangeObservation {
    let metrics: RequestMetrics
    let attributes: [String: ExchangeAttribute]
    let active: Meter
    func ended(_ outcome: ExchangeOutcome) {
        active.decrement()
        let labels = metrics.labels(attributes.merging(outcome.metricAttributes) { first, _ in first })
        Recorder(label: "http.client.request.duration", dimensions: labels).record(outcome.duration / .seconds(1))
        for (body, size) in [("request", outcome.requestBodySize), ("response", outcome.responseBodySize)] {
            if let size { Recorder(label: "http.client.\(body).body.size", dimensions: labels).record(size) }
        }
    }
}
