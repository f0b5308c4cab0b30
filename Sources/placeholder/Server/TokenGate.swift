import Errand

/// Issues tokens that are each valid for three calls.
actor TokenGate {
    static let callsPerToken = 3
    static let credentials = Credentials(name: "ingrid", password: "placeholder")

    private var issued = 0
    private var callsLeft: [String: Int] = [:]

    /// - Throws: A ``Problem`` for any other user than the known one.
    func issue(to credentials: Credentials?) throws -> IssuedToken {
        guard credentials == Self.credentials else {
            throw Problem(403, "There is no user of that name and password.")
        }
        issued += 1
        let token = "token-\(issued)"
        callsLeft[token] = Self.callsPerToken
        return IssuedToken(token: token, calls: Self.callsPerToken)
    }

    /// - Returns: The number of calls that the token is still valid for.
    /// - Throws: A ``Problem`` if the token is missing or is not valid any more.
    func admit(_ authorization: String?) throws -> Int {
        let token = authorization.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        guard let token, let left = callsLeft[token], left > 0 else {
            throw Problem(401, "The token has expired: post name and password to /tokens.")
        }
        callsLeft[token] = left - 1
        return left - 1
    }
}
