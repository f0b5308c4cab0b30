import Errand

/// The parameters of the redirect from an authorization server back to the client (RFC 6749, section 4.1.2).
struct OAuthRedirect: Sendable {
    private let parameters: [String: String]

    /// - Throws: ``/Errand/ErrandError`` with `authenticationFailed` if a parameter occurs twice (RFC 6749, section
    ///   3.1).
    init(_ url: URL) throws(ErrandError) {
        var parameters: [String: String] = [:]
        for item in (url.query(percentEncoded: true) ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { String($0.replacing("+", with: " ")) }.map { $0.removingPercentEncoding ?? $0 }
            guard parameters.updateValue(decoded.count > 1 ? decoded[1] : "", forKey: decoded[0]) == nil else {
                throw Self.fault("the redirect contains a parameter more than once")
            }
        }
        self.parameters = parameters
    }

    /// Checks that the redirect belongs to an authorization, and returns its code.
    ///
    /// - Throws: ``OAuthError`` if the redirect contains an error; ``/Errand/ErrandError`` with `authenticationFailed`
    ///   if it does not belong to the authorization, or contains neither a code nor an error.
    func code(for authorization: OAuthAuthorization, of server: OAuthServer) throws -> Secret {
        guard let state = parameters["state"], !state.isEmpty, state == authorization.state else {
            throw Self.fault("the state in the redirect is missing or differs from that of the authorization")
        }
        // Checks the issuer before the error: an error from another server says nothing about this authorization.
        if let issuer = server.issuer {
            guard parameters["iss"] == issuer || parameters["iss"] == nil && !server.requiresIssuer else {
                throw Self.fault(
                    parameters["iss"] == nil
                        ? "the redirect has no issuer (iss), which the server must send"
                        : "the issuer (iss) in the redirect differs from that of the OAuthServer")
            }
        }
        let secrets = [Secret(authorization.state), authorization.verifier.secret]
        if let error = OAuthError(hiding: secrets, member: { parameters[$0] }) { throw error }
        guard let code = parameters["code"], !code.isEmpty else {
            throw Self.fault("the redirect has neither a code nor an error")
        }
        return Secret(code)
    }

    private static func fault(_ reason: String) -> ErrandError { ErrandError(.authenticationFailed, reason: reason) }
}
