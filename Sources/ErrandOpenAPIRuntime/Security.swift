/// The base class of clients whose requests need credentials.
///
/// The class says which credentials a request needs, by the names of the document's security schemes. A service has the
/// credentials: ``SchemeAuthentication``. So requests name no secret, and a request that needs none gets none.
open class SecuredAPI: APIBase {
    /// The alternatives that a request accepts. Each is a list of schemes that are needed together; an empty list means
    /// that the request works without credentials too. Without alternatives, the default, it gets none.
    open var security: [[String]] = []

    /// The interceptors of the class, and before them one that tells the service's ``SchemeAuthentication`` which
    /// credentials the request needs.
    open override var interceptors: [any Interceptor] {
        get { [SecurityRequirement(alternatives: security)] + super.interceptors }
        set { super.interceptors = newValue.filter { !($0 is SecurityRequirement) } }
    }
}

/// Tells the later interceptors which credentials a request needs.
struct SecurityRequirement: Interceptor {
    let alternatives: [[String]]

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        request[SecurityRequirement.self] = self
        return try await next(request)
    }
}

/// An interceptor with the credentials of a service, by the names of the document's security schemes.
///
/// For each request of a ``SecuredAPI``, it applies the first of the request's alternatives whose credentials are all
/// there, or none.
public struct SchemeAuthentication: Interceptor, Authenticating {
    private let schemes: [String: any Interceptor]

    /// Creates an interceptor. Schemes without credentials are `nil`.
    public init(_ schemes: [String: (any Interceptor)?]) {
        self.schemes = schemes.compactMapValues(\.self)
    }

    /// Adds the credentials that the request needs.
    ///
    /// - Throws: The errors of the schemes' interceptors and of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let alternatives = request[SecurityRequirement.self]?.alternatives ?? []
        let chosen = alternatives.first { !$0.isEmpty && $0.allSatisfy { schemes[$0] != nil } } ?? []
        let chain = chosen.reversed().compactMap { schemes[$0] }.reduce(next) { next, interceptor in
            Next { try await interceptor.intercept($0, next: next) }
        }
        return try await chain(request)
    }
}
