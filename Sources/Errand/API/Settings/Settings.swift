/// What a class, a service or a declarative request says about a request, as one value.
///
/// A `nil` says nothing. ``resolved(over:)`` is the one place that says which of two settings counts.
struct Settings: Sendable {
    var baseURL: URL?
    var headers = HeaderFields()
    /// Header fields that are awaited, those with the highest precedence first.
    var asynchronousHeaders: [AsynchronousHeaders] = []
    var session: (any Transport)?
    var interceptors = InterceptorList.adding([])
    var retryPolicy: RetryPolicy?
    var hook: (any RequestHook)?
    var decoder: (any DataDecoder)?
    var encoder: (any DataEncoder)?
    var acceptedStatusCodes: Set<Int>?
    var acceptedContentTypes: [ContentType]?
    var terms = RequestTerms()

    /// These settings of a service, applied to those of a request.
    ///
    /// - Where the request goes and what carries it is the service's, where it says something: base URL, session, retry
    ///   policy, hook.
    /// - What both add up to: header fields, of which those of the request win; awaited header fields, of which those of the
    ///   service win; interceptors, the request's first.
    /// - What the request means is its own, where it says something: coding, accepted responses, time limits and the like.
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
            terms: terms.resolved(over: request.terms))
    }

    /// Everything that a request passes, the first outermost.
    ///
    /// - Parameter own: The header fields of the request itself, which no awaited field replaces.
    func chain(own: @autoclosure () -> HeaderFields) -> [any Interceptor] {
        guard hook != nil || retryPolicy != nil || !asynchronousHeaders.isEmpty else {
            return interceptors.interceptors
        }
        var chain: [any Interceptor] = []
        if let hook { chain.append(HookInterceptor(hook)) }
        if let retryPolicy { chain.append(RetryInterceptor(retryPolicy)) }
        if !asynchronousHeaders.isEmpty {
            let own = own()
            chain += asynchronousHeaders.map { $0.keeping(own) }
        }
        return chain + interceptors.interceptors
    }
}
