import Synchronization

/// One sending of a request, with the redirects that are followed, as its observers see it.
///
/// An exchange ends at a redirect, on a thread of the transport, or with the sending, in its task. Both may happen at
/// once if the task is cancelled. The lock decides which of them takes the exchange; no observer is called under it.
final class ObservedSending: Sendable {
    /// An exchange that has begun.
    private struct Exchange: Sendable {
        /// The request, before the observers' fields.
        let request: TransportRequest
        /// What each observer returned for it.
        let observations: [any ExchangeObservation]
        /// The names of the fields that the observations added.
        var addedNames: [String] = []
        /// The response, if it is a redirect that the transport is about to follow.
        var redirect: DataResponse?
        let start = ContinuousClock.now

        /// Adds the fields of the observations to the request.
        ///
        /// - Parameter leavesOutInvalid: Whether an invalid field is left out; otherwise it is an error.
        mutating func addFields(to request: inout URLRequest, leavesOutInvalid: Bool) throws(ErrandError) {
            for observation in observations {
                let fields = observation.fields
                let isOwn = fields.contains { request.value(forHTTPHeaderField: $0.name) != nil }
                if fields.isEmpty || (isOwn && !observation.replacesFields) { continue }
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
                    addedNames.append(field.name)
                }
            }
        }
    }

    private enum State: Sendable {
        case sending(Exchange)
        /// No exchange has begun, or a redirect has ended it and the next one has not begun.
        case between
        case ended
    }

    private let observers: [any ExchangeObserver]
    /// The request, before the observers' fields.
    private let request: TransportRequest
    private let ledger: RunLedger
    private let start = ContinuousClock.now
    private let state = Mutex(State.between)

    init(of request: TransportRequest, for observers: [any ExchangeObserver], in ledger: RunLedger) {
        self.request = request
        self.observers = observers
        self.ledger = ledger
    }

    /// Begins the first exchange, and adds the fields of the observers to the request.
    ///
    /// - Throws: ``ErrandError`` with `invalidHeaderField` for an invalid field. The exchange has begun then too.
    func begin(_ request: inout TransportRequest) throws(ErrandError) {
        var exchange = begun(request, after: nil)
        defer { store(exchange) }
        request.redirectHooks.append(
            RedirectHook(
                owner: ObjectReference(self), cookies: [], observe: note,
                change: { next, _ in
                    self.follow(to: &next)
                    return []
                }))
        try exchange.addFields(to: &request.urlRequest, leavesOutInvalid: false)
    }

    /// Ends the current exchange with the result of the sending.
    func end(_ result: Result<DataResponse, ErrandError>) {
        guard let exchange = take(leaving: .ended) else { return }
        switch result {
        case .success(let response): end(exchange, with: response)
        // A redirect that cannot be followed has a status.
        case .failure(let failure): end(exchange, with: exchange.redirect, failure)
        }
    }

    private func note(_ redirect: DataResponse) {
        state.withLock { state in
            guard case .sending(var exchange) = state else { return }
            exchange.redirect = redirect
            // A transport measures the whole transfer, and not the exchange that ends here.
            exchange.redirect?.metrics = nil
            state = .sending(exchange)
        }
    }

    /// Ends the current exchange with its redirect, and begins that of the next request.
    private func follow(to next: inout URLRequest) {
        guard let last = take(leaving: .between) else { return }
        end(last, with: last.redirect)
        var changed = next
        for name in last.addedNames { changed.setHeaderField(name, nil) }
        var request = last.request
        if RedirectChain.becomesGet(after: last.redirect?.statusCode ?? 0, request.urlRequest.httpMethod) {
            request.bodyStream = nil
        }
        request.urlRequest = changed
        var exchange = begun(request, after: last)
        if next.origin == self.request.urlRequest.origin {
            try? exchange.addFields(to: &changed, leavesOutInvalid: true)
        }
        next = changed
        store(exchange)
    }

    private func begun(_ request: TransportRequest, after last: Exchange?) -> Exchange {
        let resendCount = ledger.countSending()
        let observations = observers.indices.map { index in
            observers[index].began(
                ObservedExchange(
                    request: request, resendCount: resendCount, redirected: last?.observations[index]))
        }
        return Exchange(request: request, observations: observations)
    }

    /// Takes the current exchange, to end it; `nil` between two exchanges, and after the end.
    private func take(leaving next: State) -> Exchange? {
        state.withLock { state in
            defer { if case .ended = state {} else { state = next } }
            return if case .sending(let exchange) = state { exchange } else { nil }
        }
    }

    /// Makes an exchange the current one. If the sending has ended meanwhile, by a cancellation, so has the exchange.
    private func store(_ exchange: Exchange) {
        let hasEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .sending(exchange)
            return false
        }
        if hasEnded { end(exchange, with: nil, ErrandError(.cancelled)) }
    }

    private func end(_ exchange: Exchange, with response: DataResponse?, _ failure: ErrandError? = nil) {
        let outcome = ExchangeOutcome(
            head: response.map(ResponseHead.init), failure: failure, duration: ContinuousClock.now - exchange.start,
            requestBodySize: exchange.request.bodySize.map(Int.init),
            responseBodySize: response?.transferredBodySize(of: exchange.request.urlRequest.httpMethod),
            isAccepted: response.map { request.rules.statusCodes?.contains($0.statusCode) ?? false } ?? false,
            offset: exchange.start - start)
        for observation in exchange.observations { observation.ended(outcome) }
    }
}

extension DataResponse {
    /// The size of the body before its content is decoded; `nil` if it is unknown.
    fileprivate func transferredBodySize(of method: String?) -> Int? {
        if method == "HEAD" || 100..<200 ~= statusCode || statusCode == 204 || statusCode == 304 { return 0 }
        if let declared = headers["Content-Length"].flatMap({ Int($0) }) { return declared }
        // The body of a redirect that is followed is not read.
        let isUnread = body.isStreamed || RedirectChain.isRedirect(statusCode)
        return isUnread || headers["Content-Encoding"] != nil ? nil : data.count
    }
}
