/// The time limits, size limits and similar terms of a request; `nil` for a term that is not set.
struct RequestTerms: Sendable {
    var timeoutInterval: TimeInterval?
    var resourceTimeout: Duration?
    var maximumBodySize: Int?
    var redirectPolicy: RedirectPolicy?
    var priority: RequestPriority?
    var cachePolicy: URLRequest.CachePolicy?

    /// Combines these terms of a service with those of a request, which take precedence.
    func resolved(over request: RequestTerms) -> RequestTerms {
        RequestTerms(
            timeoutInterval: request.timeoutInterval ?? timeoutInterval,
            resourceTimeout: request.resourceTimeout ?? resourceTimeout,
            maximumBodySize: request.maximumBodySize ?? maximumBodySize,
            redirectPolicy: request.redirectPolicy ?? redirectPolicy, priority: request.priority ?? priority,
            cachePolicy: request.cachePolicy ?? cachePolicy)
    }
}

extension APIBase {
    static let defaultTimeoutInterval: TimeInterval = 60

    /// The terms that the properties of the class set. A property with its default value sets no term.
    var termsOfProperties: RequestTerms {
        let follows = if case .follow = redirectPolicy { true } else { false }
        return RequestTerms(
            timeoutInterval: timeoutInterval == Self.defaultTimeoutInterval ? nil : timeoutInterval,
            resourceTimeout: resourceTimeout,
            maximumBodySize: maximumBodySize == Self.defaultMaximumBodySize ? nil : maximumBodySize,
            redirectPolicy: follows ? nil : redirectPolicy, priority: priority == .normal ? nil : priority,
            cachePolicy: cachePolicy == .useProtocolCachePolicy ? nil : cachePolicy)
    }
}
