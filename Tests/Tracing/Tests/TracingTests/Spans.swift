import Errand
import Tracing

struct Spans: ExchangeObserver {
    func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
        let parent = (exchange.redirected as? SpanOfExchange)?.parent ?? .current ?? .topLevel
        let span = InstrumentationSystem.tracer.startSpan(exchange.name, context: parent, ofKind: .client)
        let observation = SpanOfExchange(parent: parent, span: span)
        observation.add(exchange.attributes)
        return observation
    }
}

struct SpanOfExchange: ExchangeObservation, Injector {
    let parent: InstrumentationContext
    let span: any Span
    var fields: HeaderFields {
        var fields: HeaderFields = [:]
        InstrumentationSystem.instrument.inject(span.context, into: &fields, using: self)
        return fields
    }

    func inject(_ value: String, forKey name: String, into fields: inout HeaderFields) { fields[.init(name)] = value }

    func ended(_ outcome: ExchangeOutcome) {
        add(outcome.attributes)
        if outcome.isError { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }

    func add(_ attributes: [String: ExchangeAttribute]) {
        for (name, value) in attributes {
            switch value {
            case .text(let text): span.attributes[name] = text
            case .integer(let number): span.attributes[name] = number
            }
        }
    }
}
