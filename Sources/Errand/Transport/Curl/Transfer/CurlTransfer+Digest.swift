#if canImport(CCurl)
// Digest authentication. libcurl could respond to challenges itself, but it considers only the first challenge of a
// response, even if it does not support its algorithm (7.88), and it keeps challenges from one request to the next.
extension CurlTransfer {
    /// Whether this hop may respond to a challenge: only at the original origin, and only without an `Authorization`
    /// field.
    private var mayRespondToChallenge: Bool {
        digest != nil && !chain.hasLeftOrigin && chain.request.value(forHTTPHeaderField: "Authorization") == nil
    }

    /// Whether this hop is sent without the body of the request.
    var withholdsBody: Bool { mayRespondToChallenge && digest?.withholdsBody == true && bodyForDigest.exists }

    private var bodyForDigest: DigestExchange.Body {
        let stream = chain.hasDroppedBody ? nil : request.bodyStream
        return DigestExchange.Body(
            exists: stream != nil || chain.request.httpBody?.isEmpty == false, isInMemory: stream == nil,
            canBeSentAgain: stream?.canBeReadAgain ?? true)
    }

    /// Returns whether the request is sent again after the head of the response.
    func respondsToChallenge() -> Bool {
        guard mayRespondToChallenge else { return false }
        return digest?.goesOn(after: hop.head.statusCode, hop.head.fields, body: bodyForDigest) == true
    }

    /// Returns the header fields of this hop.
    func fieldsWithCredential(_ method: String) -> [String: String] {
        var fields = chain.request.allHTTPHeaderFields ?? [:]
        guard mayRespondToChallenge else { return fields }
        let field = digest?.authorization(
            method: method, target: url.requestTarget, body: chain.request.httpBody ?? Data())
        if let field { fields["Authorization"] = field }
        return fields
    }

    /// The URL for libcurl. It would send the user and the password of the URL in its own way (Basic).
    var urlForHandle: String { mayRespondToChallenge ? url.withoutUserInformation : url }
}

extension String {
    /// The path and the query of this URL, in the form in which libcurl sends them: without dot segments (RFC 3986,
    /// section 5.2.4).
    fileprivate var requestTarget: String {
        guard let scheme = range(of: "://") else { return "/" }
        let rest = self[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        let path = rest.prefix { $0 != "?" }
        return (path.isEmpty ? "/" : path.withoutDotSegments) + rest.dropFirst(path.count)
    }

    fileprivate var withoutUserInformation: String {
        guard let scheme = range(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}

extension Substring {
    fileprivate var withoutDotSegments: String {
        guard contains("/.") else { return String(self) }
        var kept: [Substring] = []
        let segments = dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if segment != ".", segment != ".." {
                kept.append(segment)
            } else {
                if segment == ".." { _ = kept.popLast() }
                if index == segments.count - 1 { kept.append("") }
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
#endif
