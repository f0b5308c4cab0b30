/// The interceptors of a service or a declarative request, and what they do to those of the API class.
///
/// ```swift
/// let interceptors: InterceptorList = [TraceContext()]                     // in addition
/// let interceptors = InterceptorList.replacing([TraceContext()])           // in place of the class's
/// ```
public struct InterceptorList: Sendable, ExpressibleByArrayLiteral {
    let interceptors: [any Interceptor]
    let replacesOthers: Bool

    /// Interceptors after those of the API.
    public static func adding(_ interceptors: [any Interceptor]) -> InterceptorList {
        InterceptorList(interceptors: interceptors, replacesOthers: false)
    }

    /// Interceptors in place of those of the API, whose authentication, cache and limits do not apply then.
    public static func replacing(_ interceptors: [any Interceptor]) -> InterceptorList {
        InterceptorList(interceptors: interceptors, replacesOthers: true)
    }

    /// Interceptors after those of the API.
    public init(arrayLiteral interceptors: any Interceptor...) {
        self = .adding(interceptors)
    }

    private init(interceptors: [any Interceptor], replacesOthers: Bool) {
        self.interceptors = interceptors
        self.replacesOthers = replacesOthers
    }

    /// This list applied to those of an API.
    func resolved(over others: InterceptorList) -> InterceptorList {
        guard !replacesOthers else { return self }
        return InterceptorList(
            interceptors: others.interceptors + interceptors, replacesOthers: others.replacesOthers)
    }
}
