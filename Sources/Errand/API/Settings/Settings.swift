/// The settings of a class, a service or a declarative request, as one value.
///
/// `nil` means that a setting is not set. Only ``resolved(over:)`` decides which of two settings applies.
struct Settings: Sendable {
    var baseURL: URL?
    var headers = HeaderFields()
    /// The asynchronous header fields, those with the highest precedence first.
    var asynchronousHeaders: [AsynchronousHeaders] = []
    var session: (any Transport)?
    var interceptors = InterceptorList.adding([])
    var retryPolicy: RetryPolicy?
    var hook: (any RequestHook)?
    var decoder: (any DataDecoder)?
    var encoder: (any DataEncoder)?
    var acceptedStatusCodes: Set<Int>?
    var acceptedContentTypes: [ContentType]?
    var timeoutInterval: TimeInterval?
    var resourceTimeout: Duration?
    var maximumBodySize: Int?
    var redirectPolicy: RedirectPolicy?
    var priority: RequestPriority?
    var cachePolicy: URLRequest.CachePolicy?

    static let defaultTimeoutInterval: TimeInterval = 60

    /// Combines these settings of a service with those of a request.
    ///
    /// - Base URL, session, retry policy and hook are the service's, if set.
    /// - Header fields and interceptors of both apply. The request's header fields replace the service's, and its
    ///   interceptors come first. The service's asynchronous header fields replace the request's.
    /// - Coding, accepted responses, limits and all others are the request's, if set.
    func resolved(over request: Settings) -> Settings {
        Settings(
            baseURL: baseURL ?? request.baseURL,
            headers: headers.merging(request.headers),
            asynchronousHeaders: asynchronousHeaders + request.asynchronousHeaders,
            session: session ?? request.session,
            interceptors: interceptors.resolved(over: request.interceptors),
            retryPolicy: retryPolicy ?? request.retryPolicy,
            hook: hook ?? request.hook,
            decoder: request.decoder ?? decoder,
            encoder: request.encoder ?? encoder,
            acceptedStatusCodes: request.acceptedStatusCodes ?? acceptedStatusCodes,
            acceptedContentTypes: request.acceptedContentTypes ?? acceptedContentTypes,
            timeoutInterval: request.timeoutInterval ?? timeoutInterval,
            resourceTimeout: request.resourceTimeout ?? resourceTimeout,
            maximumBodySize: request.maximumBodySize ?? maximumBodySize,
            redirectPolicy: request.redirectPolicy ?? redirectPolicy,
            priority: request.priority ?? priority,
            cachePolicy: request.cachePolicy ?? cachePolicy)
    }
}
