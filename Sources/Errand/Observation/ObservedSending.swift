import Synchronization

/// One sending of a request, with the redirects that are followed, as its observers see it.
///
/// An exchange ends at a redirect, in a task of the transport, or with the sending, in its own task. Both may happen at
/// once if the task is cancelled. The lock decides which of them takes the exchange; no observer is called under it.
final class ObservedSending: Sendable {
    /// An exchange that has begun.
    private final class Exchange: Sendable {
        /// The request, before the observers' fields.
        let request: Boxed<TransportRequest>
        /// What each observer returned for it.
        let observations: [any ExchangeObservation]
        /// The names of the fields that the observations added.
        let addedNames: [String]
        let start = ContinuousClock.now

        init(of request: Boxed<TransportRequest>, _ observations: [any ExchangeObservation], addedNames: [String]) {
            self.request = request
            self.observations = observations
            self.addedNames = addedNames
        }
    }

    private enum State: Sendable {
        /// An exchange has begun. The response is there if it is a redirect that the transport is about to follow.
        case sending(Exchange, redirect: Boxed<DataResponse>?)
        /// No exchange has begun, or a redirect has ended it and the next one has not begun.
        case between
        case ended
    }

    private let observers: [any ExchangeObserver]
    /// The request, before the observers' fields.
    private let request: Boxed<TransportRequest>
    private let ledger: RunLedger
    private let start = ContinuousClock.now
    private let state = Mutex(State.between)

    init(of request: TransportRequest, for observers: [any ExchangeObserver], in ledger: RunLedger) {
        self.request = Boxed(request)
        self.observers = observers
        self.ledger = ledger
    }

    /// Begins the first exchange, and adds the fields of the observers to the request.
    ///
    /// - Throws: ``ErrandError`` with `invalidHeaderField` for an invalid field. The exchange has begun then too.
    func begin(_ request: inout TransportRequest) throws(ErrandError) {
        let observations = begun(self.request, after: nil)
        var addedNames: [String] = []
        defer { store(Exchange(of: self.request, observations, addedNames: addedNames)) }
        request.redirectHooks.append(
            RedirectHook(
                owner: ObjectReference(self), cookies: [], observe: note,
                change: { next, _ in
                    self.follow(to: &next)
                    return []
                }))
        addedNames = try observations.addFields(to: &request.urlRequest, leavesOutInvalid: false)
    }

    /// Ends the current exchange with the result of the sending.
    func end(_ result: Result<DataResponse, ErrandError>) {
        guard let (exchange, redirect) = take(leaving: .ended) else { return }
        switch result {
        case .success(let response): end(exchange, with: response)
        // A redirect that cannot be followed has a status.
        case .failure(let failure): end(exchange, with: redirect?.value, failure)
        }
    }

    private func note(_ redirect: DataResponse) {
        var redirect = redirect
        // A transport measures the whole transfer, and not the exchange that ends here.
        redirect.metrics = nil
        let boxed = Boxed(redirect)
        state.withLock { state in
            if case .sending(let exchange, _) = state { state = .sending(exchange, redirect: boxed) }
        }
    }

    /// Ends the current exchange with its redirect, and begins that of the next request.
    private func follow(to next: inout URLRequest) {
        guard let (last, redirect) = take(leaving: .between) else { return }
        end(last, with: redirect?.value)
        var changed = next
        for name in last.addedNames { changed.setHeaderField(name, nil) }
        var request = last.request.value
        if RedirectChain.becomesGet(after: redirect?.value.statusCode ?? 0, request.urlRequest.httpMethod) {
            request.bodyStream = nil
        }
        request.urlRequest = changed
        let boxed = Boxed(request)
        let observations = begun(boxed, after: last)
        var addedNames: [String] = []
        if next.origin == self.request.value.urlRequest.origin {
            addedNames = (try? observations.addFields(to: &changed, leavesOutInvalid: true)) ?? []
        }
        next = changed
        store(Exchange(of: boxed, observations, addedNames: addedNames))
    }

    /// Asks the observers for their observations of the next exchange.
    private func begun(_ request: Boxed<TransportRequest>, after last: Exchange?) -> [any ExchangeObservation] {
        let resendCount = ledger.countSending()
        return observers.indices.map { index in
            observers[index].began(
                ObservedExchange(
                    boxedRequest: request, resendCount: resendCount, redirected: last?.observations[index]))
        }
    }

    /// Takes the current exchange, to end it; `nil` between two exchanges, and after the end.
    private func take(leaving next: State) -> (Exchange, redirect: Boxed<DataResponse>?)? {
        state.withLock { state in
            if case .ended = state { return nil }
            defer { state = next }
            guard case .sending(let exchange, let redirect) = state else { return nil }
            return (exchange, redirect)
        }
    }

    /// Makes an exchange the current one. If the sending has ended meanwhile, by a cancellation, so has the exchange.
    private func store(_ exchange: Exchange) {
        let hasEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .sending(exchange, redirect: nil)
            return false
        }
        if hasEnded { end(exchange, with: nil, ErrandError(.cancelled)) }
    }

    private func end(_ exchange: Exchange, with response: DataResponse?, _ failure: ErrandError? = nil) {
        let outcome = ExchangeOutcome(
            head: response.map(ResponseHead.init), failure: failure, duration: ContinuousClock.now - exchange.start,
            requestBodySize: exchange.request.value.bodySize.map(Int.init),
            isHead: exchange.request.value.urlRequest.httpMethod == "HEAD",
            collectedBodySize: response?.collectedBodySize,
            acceptedStatusCodes: exchange.request.value.rules.statusCodes, offset: exchange.start - start)
        for observation in exchange.observations { observation.ended(outcome) }
    }
}

extension [any ExchangeObservation] {
    /// Adds the fields of the observations to a request, and returns their names.
    ///
    /// - Parameter leavesOutInvalid: Whether an invalid field is left out; otherwise it is an error.
    fileprivate func addFields(
        to request: inout URLRequest, leavesOutInvalid: Bool
    ) throws(ErrandError) -> [String] {
        var names: [String] = []
        for observation in self {
            let fields = observation.fields
            if fields.isEmpty { continue }
            let isOwn = fields.contains { request.value(forHTTPHeaderField: $0.name) != nil }
            if isOwn, !observation.replacesFields { continue }
            for field in fields {
                do {
                    try RequestCheck.check(added: field)
                } catch {
                    if leavesOutInvalid { continue }
                    throw error
                }
                // Fields of the same name are joined into one.
                let value = fields[field.name]
                request.setHeaderField(field.name, value?.isEmpty == true ? nil : value)
                names.append(field.name)
            }
        }
        return names
    }
}

extension DataResponse {
    /// The size of the collected body; `nil` for one that is streamed, and for that of a redirect, which is not read.
    fileprivate var collectedBodySize: Int? {
        body.isStreamed || RedirectChain.isRedirect(statusCode) ? nil : data.count
    }
}
