/// The interceptors of a service or an endpoint, which add to or replace those before them; see ``RequestSettings``.
///
/// ```swift
/// APIService(baseURL: "staging.example.com", interceptors: [TraceContext()])                  // in addition
/// APIService(baseURL: "staging.example.com", interceptors: .replacing([TraceContext()]))      // replaces the class's
/// ```
public struct InterceptorList: Sendable, ExpressibleByArrayLiteral {
    /// The interceptors, the outermost first.
    public let interceptors: [any Interceptor]
    /// Whether they replace those that come before them.
    public let replacesOthers: Bool

    /// Creates a list of interceptors that come after those of the API.
    public static func adding(_ interceptors: [any Interceptor]) -> InterceptorList {
        InterceptorList(interceptors: interceptors, replacesOthers: false)
    }

    /// Creates a list of interceptors that replace those of the API. The API's authentication, cache and limits do not
    /// apply then.
    public static func replacing(_ interceptors: [any Interceptor]) -> InterceptorList {
        InterceptorList(interceptors: interceptors, replacesOthers: true)
    }

    /// Creates a list of interceptors that come after those of the API.
    public init(arrayLiteral interceptors: any Interceptor...) {
        self = .adding(interceptors)
    }

    private init(interceptors: [any Interceptor], replacesOthers: Bool) {
        self.interceptors = interceptors
        self.replacesOthers = replacesOthers
    }

    /// Combines this list with the one that comes before it.
    func after(_ others: InterceptorList) -> InterceptorList {
        guard !replacesOthers else { return self }
        guard !interceptors.isEmpty else { return others }
        return InterceptorList(
            interceptors: others.interceptors + interceptors, replacesOthers: others.replacesOthers)
    }
}
