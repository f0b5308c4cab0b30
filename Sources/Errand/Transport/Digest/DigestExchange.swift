/// Digest access authentication for the requests to one URL (RFC 7616).
///
/// A pure state machine. The first request has no credential, and no body, because the server is expected to reject it.
/// The second one responds to the challenge.
struct DigestExchange: Sendable {
    /// The properties of the request's body that the exchange depends on.
    struct Body {
        /// Whether the request has a body that is not empty.
        var exists = false
        /// Whether the body is in memory, or does not exist.
        var isInMemory = true
        /// Whether the body can be sent again after it was sent.
        var canBeSentAgain = true
    }

    private enum State {
        /// The next request has no credential. A body is withheld.
        case asking
        /// The next request responds to the challenge.
        case responding(DigestChallenge, isRetry: Bool)
        /// The server accepted the request without a body, so the next one has the body, and no credential.
        case unprotected
    }

    private let credential: PasswordCredential
    private let makeNonce: @Sendable () -> String
    private var state = State.asking
    /// The number of requests with the current challenge.
    private var count = 0

    /// - Parameter makeNonce: A closure that returns an unpredictable text for each request.
    init(
        _ credential: PasswordCredential,
        makeNonce: @escaping @Sendable () -> String = {
            Data((0..<16).map { _ in .random(in: 0 ... .max) }).hexadecimal
        }
    ) {
        self.credential = credential
        self.makeNonce = makeNonce
    }

    /// Whether the next request is sent without its body.
    var withholdsBody: Bool { if case .asking = state { true } else { false } }

    /// Begins again, for another URL.
    mutating func begin() {
        state = .asking
    }

    /// Decides about a response.
    ///
    /// A challenge that the server sends in response to the credential is met once, if only the nonce was too old
    /// (section 3.3). In all other cases it means that the server rejects the credential.
    ///
    /// - Returns: Whether the request is sent again; `false` if the response is the last one.
    mutating func goesOn(after statusCode: Int, _ headers: HeaderFields, body: Body) -> Bool {
        switch state {
        case .asking where statusCode == 401:
            return respond(to: headers, body) { _ in true }
        case .asking where body.exists && statusCode < 300:
            state = .unprotected
            return true
        case .responding(_, isRetry: false) where statusCode == 401 && body.canBeSentAgain:
            return respond(to: headers, body, isRetry: true) { $0.isStale }
        default:
            return false
        }
    }

    private mutating func respond(
        to headers: HeaderFields, _ body: Body, isRetry: Bool = false, if isWanted: (DigestChallenge) -> Bool
    ) -> Bool {
        guard let challenge = DigestChallenge.first(in: headers, canHashBody: body.isInMemory), isWanted(challenge)
        else { return false }
        state = .responding(challenge, isRetry: isRetry)
        count = 0
        return true
    }

    /// Returns the value of the `Authorization` field of the next request; `nil` for a request without a credential.
    ///
    /// It is also `nil` if a value of the server or the credential has a control character, which must not be sent.
    ///
    /// - Parameter target: The path and the query as they are sent.
    mutating func authorization(method: String, target: String, body: Data) -> String? {
        guard case .responding(let challenge, _) = state else { return nil }
        count += 1
        let field = challenge.authorization(
            as: credential, method: method, target: target, body: body, count: count, clientNonce: makeNonce())
        return field.isHTTPFieldValue ? field : nil
    }
}
