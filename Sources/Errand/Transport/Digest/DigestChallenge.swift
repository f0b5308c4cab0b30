/// A Digest challenge that can be met (RFC 7616, section 3.3).
struct DigestChallenge: Hashable, Sendable {
    private enum Algorithm {
        case md5, sha256
    }

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

    /// Returns `nil` for a challenge of another scheme, without a nonce, or with only unknown algorithms or qualities.
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
        var secret = hash(Data("\(credential.user):\(realm):\(credential.password)".utf8))
        if isSession { secret = hash(Data("\(secret):\(nonce):\(clientNonce)".utf8)) }
        let request = "\(method):\(target)" + (quality == .authInt ? ":\(hash(body))" : "")
        let digits = String(count, radix: 16)
        let number = String(repeating: "0", count: max(8 - digits.count, 0)) + digits
        let middle = quality.map { "\(nonce):\(number):\(clientNonce):\($0.rawValue)" } ?? nonce
        let response = hash(Data("\(secret):\(middle):\(hash(Data(request.utf8)))".utf8))
        let user = hashesUser ? hash(Data("\(credential.user):\(realm)".utf8)) : credential.user
        var parts = [
            ("username", user.quoted), ("realm", realm.quoted), ("nonce", nonce.quoted), ("uri", target.quoted),
        ]
        if quality != nil || isSession { parts.append(("cnonce", clientNonce.quoted)) }
        if let quality { parts += [("nc", number), ("qop", quality.rawValue)] }
        parts.append(("response", response.quoted))
        if let opaque { parts.append(("opaque", opaque.quoted)) }
        if let algorithmName { parts.append(("algorithm", algorithmName)) }
        if hashesUser { parts.append(("userhash", "true")) }
        return "Digest " + parts.map { "\($0)=\($1)" }.joined(separator: ", ")
    }

    private func hash(_ data: Data) -> String {
        switch algorithm {
        case .md5: Data(MD5.digest(of: data)).hexadecimal
        case .sha256: SHA256.hexDigest(data)
        }
    }
}
