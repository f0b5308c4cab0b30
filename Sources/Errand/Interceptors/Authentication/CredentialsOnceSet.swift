/// An interceptor that adds the credentials of an API.
package protocol Authenticating: Interceptor {}

/// The credentials that the settings of an object once had.
///
/// An assignment such as `interceptors = [TraceContext()]` in a leaf replaces the authentication of its class. If the
/// server then refuses the request, the error says so.
struct CredentialsOnceSet: Sendable {
    private var interceptor: (any Authenticating.Type)?
    private var field: String?
    private static let fields = ["Authorization", "X-API-Key", "API-Key", "X-Auth-Token"]

    mutating func record(_ interceptors: [any Interceptor]) {
        guard interceptor == nil else { return }
        interceptor = interceptors.lazy.compactMap { $0 as? any Authenticating }.first.map { type(of: $0) }
    }

    mutating func record(_ headers: HeaderFields) {
        guard field == nil else { return }
        field = Self.fields.first { headers[$0] != nil }
    }

    /// Says which credentials the settings of a request lack; `nil` if it has what was set, or another authentication.
    func removed(from interceptors: [any Interceptor], _ request: URLRequest?) -> String? {
        if interceptors.contains(where: { $0 is any Authenticating }) { return nil }
        if let interceptor {
            return "`interceptors` had \(interceptor), which an assignment removed: add with `interceptors.append(…)`"
        }
        guard let field, request?.value(forHTTPHeaderField: field) == nil else { return nil }
        return "`headers` had \(field), which an assignment removed: add with `headers[\"Accept\"] = …`"
    }
}
