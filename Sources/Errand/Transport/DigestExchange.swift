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
        /// The next request responds to the challenge; `isRetry` if the server rejected the nonce of an earlier one.
        case responding(DigestChallenge, isRetry: Bool)
        /// The server accepted the request without a body, so the next one has the body, and no credential.
        case unprotected
    }

    private let credential: PasswordCredential
    private let makeNonce: @Sendable () -> String
    private var state = State.asking
    /// The number of requests with the current challenge.
    private var count = 0
    /// The client's nonce for the current challenge. All its requests have the same, because the key of a `-sess`
    /// algorithm is made with that of the first (section 3.4.2).
    private var clientNonce = ""

    /// - Parameter makeNonce: A closure that returns an unpredictable text for each challenge.
    init(
        _ credential: PasswordCredential,
        makeNonce: @escaping @Sendable () -> String = {
            Data((0..<16).map { _ in .random(in: 0 ... .max) }).hexadecimal
        }
    ) {
        self.credential = credential.composed
        self.makeNonce = makeNonce
    }

    /// Whether the next request is sent without its body.
    var withholdsBody: Bool { if case .asking = state { true } else { false } }

    /// Begins again, for another URL.
    mutating func begin() {
        state = .asking
    }

    /// Decides after a response whether the request is sent again.
    ///
    /// If the server responds to the credential with another challenge, the request is sent again once, and only if the
    /// nonce was too old (section 3.3) and the body can be sent again.
    ///
    /// - Returns: `true` if the request is sent again; `false` if the response is the last one.
    mutating func goesOn(after statusCode: Int, _ headers: HeaderFields, body: Body) -> Bool {
        switch state {
        case .asking where statusCode == 401:
            return respond(to: headers, body, isRetry: false)
        case .asking where body.exists && statusCode < 300:
            state = .unprotected
            return true
        case .responding(_, isRetry: false) where statusCode == 401 && body.canBeSentAgain:
            return respond(to: headers, body, isRetry: true)
        default:
            return false
        }
    }

    /// Prepares the response to the first challenge that can be met. A retry requires that only the nonce was rejected.
    ///
    /// - Returns: Whether the next request responds to a challenge.
    private mutating func respond(to headers: HeaderFields, _ body: Body, isRetry: Bool) -> Bool {
        guard let challenge = DigestChallenge.first(in: headers, canHashBody: body.isInMemory),
            !isRetry || challenge.isStale
        else { return false }
        state = .responding(challenge, isRetry: isRetry)
        count = 0
        clientNonce = makeNonce()
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
            as: credential, method: method, target: target, body: body, count: count, clientNonce: clientNonce)
        return field.isHTTPFieldValue ? field : nil
    }
}

/// A Digest challenge that can be met (RFC 7616, section 3.3).
struct DigestChallenge: Hashable, Sendable {
    private enum Algorithm {
        case md5, sha256
    }

    /// The quality of protection: whether the digest covers only the request (`auth`) or also its body (`auth-int`).
    private enum Quality: String {
        case auth
        case authInt = "auth-int"
    }

    private let realm: String
    private let nonce: String
    private let opaque: String?
    /// The algorithm as the server wrote it; `nil` if it is missing, which means MD5.
    private let algorithmName: String?
    private let algorithm: Algorithm
    private let isSession: Bool
    /// The quality of protection; `nil` for a server of RFC 2069, which offers none.
    private let quality: Quality?
    private let hashesUser: Bool
    /// Whether the server rejected only the nonce, and not the credential.
    let isStale: Bool

    /// Returns the first challenge that can be met (section 3.7), from all `WWW-Authenticate` fields.
    ///
    /// - Parameter canHashBody: Whether the body of the request is in memory, as the quality `auth-int` requires.
    static func first(in headers: HeaderFields, canHashBody: Bool) -> DigestChallenge? {
        headers.authenticationChallenges.lazy
            .compactMap { DigestChallenge($0, canHashBody: canHashBody) }.first
    }

    /// Returns `nil` for a challenge of another scheme, without a nonce, or without an algorithm and quality to use.
    private init?(_ challenge: AuthenticationChallenge, canHashBody: Bool) {
        guard challenge.hasScheme("Digest"), let nonce = challenge["nonce"], !nonce.isEmpty else { return nil }
        algorithmName = challenge["algorithm"]
        switch algorithmName?.asciiLowercased ?? "md5" {
        case "md5": (algorithm, isSession) = (.md5, false)
        case "md5-sess": (algorithm, isSession) = (.md5, true)
        case "sha-256": (algorithm, isSession) = (.sha256, false)
        case "sha-256-sess": (algorithm, isSession) = (.sha256, true)
        default: return nil
        }
        let offered = (challenge["qop"] ?? "").asciiLowercased.split { ", \t".contains($0) }
        let qualities = offered.compactMap { Quality(rawValue: String($0)) }
            .filter { $0 == .auth || canHashBody }
        quality = qualities.contains(.auth) ? .auth : qualities.first
        if quality == nil, !offered.isEmpty { return nil }
        self.nonce = nonce
        realm = challenge.realm ?? ""
        opaque = challenge["opaque"]
        hashesUser = challenge["userhash"]?.equalsIgnoringASCIICase("true") == true
        isStale = challenge["stale"]?.equalsIgnoringASCIICase("true") == true
    }

    /// Returns the value of the `Authorization` field (section 3.4).
    ///
    /// - Parameters:
    ///   - target: The path and the query as they are sent.
    ///   - body: The body, which only the quality `auth-int` uses.
    ///   - count: The number of requests with this challenge, including this one.
    ///   - clientNonce: An unpredictable text.
    func authorization(
        as credential: PasswordCredential, method: String, target: String, body: Data, count: Int, clientNonce: String
    ) -> String {
        // `secret` is H(A1), and `request` is A2 (sections 3.4.2 and 3.4.3).
        var secret = hash(Data("\(credential.user):\(realm):\(credential.password)".utf8))
        if isSession { secret = hash(Data("\(secret):\(nonce):\(clientNonce)".utf8)) }
        let request = "\(method):\(target)" + (quality == .authInt ? ":\(hash(body))" : "")
        let digits = String(count, radix: 16)
        let paddedCount = String(repeating: "0", count: max(8 - digits.count, 0)) + digits
        // A server of RFC 2069 knows neither the count nor the client nonce.
        let middle = quality.map { "\(nonce):\(paddedCount):\(clientNonce):\($0.rawValue)" } ?? nonce
        let response = hash(Data("\(secret):\(middle):\(hash(Data(request.utf8)))".utf8))
        let user = hashesUser ? hash(Data("\(credential.user):\(realm)".utf8)) : credential.user
        var parts = [
            ("username", user.quoted), ("realm", realm.quoted), ("nonce", nonce.quoted), ("uri", target.quoted),
        ]
        // The key of a `-sess` algorithm contains the client's nonce, even without a quality.
        if quality != nil || isSession { parts.append(("cnonce", clientNonce.quoted)) }
        if let quality { parts += [("nc", paddedCount), ("qop", quality.rawValue)] }
        parts.append(("response", response.quoted))
        if let opaque { parts.append(("opaque", opaque.quoted)) }
        if let algorithmName { parts.append(("algorithm", algorithmName)) }
        if hashesUser { parts.append(("userhash", "true")) }
        return "Digest " + parts.map { "\($0)=\($1)" }.joined(separator: ", ")
    }

    /// Returns the digest in hexadecimal digits.
    private func hash(_ data: Data) -> String {
        switch algorithm {
        case .md5: Data(MD5.digest(of: data)).hexadecimal
        case .sha256: SHA256.hexDigest(data)
        }
    }
}

/// A user and a password with which a transport responds to a challenge.
///
/// Descriptions of a credential contain neither of them.
public struct PasswordCredential: Hashable, Sendable {
    private let secretUser: Secret
    private let secretPassword: Secret

    /// Creates a credential. The authentication scheme defines which characters are valid.
    public init(user: String, password: String) {
        secretUser = Secret(user)
        secretPassword = Secret(password)
    }

    /// The user.
    public var user: String { secretUser.text }
    /// The password.
    public var password: String { secretPassword.text }

    /// The credential with composed characters (NFC), as RFC 7616, section 4, requires for UTF-8.
    var composed: PasswordCredential { PasswordCredential(user: user.composed, password: password.composed) }
}

extension String {
    /// This text with composed characters (NFC). Servers compare users and passwords in this form.
    var composed: String { precomposedStringWithCanonicalMapping }
}

/// A string that does not appear in descriptions, mirrors and `dump`, including those of values that contain it.
package struct Secret: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
