/// The interceptors of a service or a declarative request, which add to or replace those of the API class.
///
/// ```swift
/// let interceptors: InterceptorList = [TraceContext()]                     // in addition
/// let interceptors = InterceptorList.replacing([TraceContext()])           // replaces the class's
/// ```
public struct InterceptorList: Sendable, ExpressibleByArrayLiteral {
    let interceptors: [any Interceptor]
    let replacesOthers: Bool

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

    /// Applies this list to that of an API.
    func resolved(over others: InterceptorList) -> InterceptorList {
        guard !replacesOthers else { return self }
        return InterceptorList(
            interceptors: others.interceptors + interceptors, replacesOthers: others.replacesOthers)
    }
}
