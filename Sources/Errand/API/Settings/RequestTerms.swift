/// How long a request may take, how large its response may be, and the like; `nil` where nothing is said.
struct RequestTerms: Sendable {
    var timeoutInterval: TimeInterval?
    var resourceTimeout: Duration?
    var maximumBodySize: Int?
    var redirectPolicy: RedirectPolicy?
    var priority: RequestPriority?
    var cachePolicy: URLRequest.CachePolicy?

    /// These terms of a service, applied to those of a request, which win.
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

    /// What the properties of the class say: those that do not have their defaults.
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
