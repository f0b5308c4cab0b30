/// An interceptor that adds the credentials of an API.
package protocol Authenticating: Interceptor {}

/// The credentials that the settings of an object once had.
///
/// An assignment such as `interceptors = [HTTPCache()]` in a leaf replaces the authentication of its class. If the
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
        field = headers.lazy.compactMap { field in Self.fields.first { $0.equalsIgnoringASCIICase(field.name) } }.first
    }

    /// Says which credentials a request that was sent lacks; `nil` if it has what was set, or another authentication.
    func removed(from request: TransportRequest) -> String? {
        guard request.credentialFields.isEmpty, request.credentialQueryNames.isEmpty, request.digestCredential == nil
        else { return nil }
        let sent = Self.fields.filter { request.urlRequest.value(forHTTPHeaderField: $0) != nil }
        if let interceptor, interceptor is APIKeyAuthentication.Type ? sent.isEmpty : !sent.contains("Authorization") {
            return "`interceptors` had \(interceptor), which an assignment removed: add with `interceptors.append(…)`"
        }
        guard let field, sent.isEmpty else { return nil }
        return "`headers` had \(field), which an assignment removed: add with `headers[\"Accept\"] = …`"
    }
}
