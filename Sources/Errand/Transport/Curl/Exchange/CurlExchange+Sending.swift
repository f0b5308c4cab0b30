#if canImport(CCurl)
// The request of a hop: the original one, a redirected one, or the same one again.
extension CurlExchange {
    /// What a hop sends, except for the content of its body.
    struct Message {
        var method: String
        /// Without a user and password that must not be sent.
        var url: String
        var fields: [String: String]
        var framing: FieldLines.Framing
        /// The size of the body; `nil` without a body, and -1 for a body of unknown size.
        var bodySize: Int64?
        var hasTrailers: Bool
        var isIdempotent: Bool

        /// A scheme may have uppercase letters (RFC 3986, section 3.1).
        var isSecure: Bool { url.withBytes { $0.begins(with: "https:") } }
    }

    /// Starts the next hop.
    ///
    /// - Parameters:
    ///   - unreached: The time since which the origin is known to have no connection.
    ///   - headLimit: The maximum size of the head of a response in bytes.
    ///   - whenReadable: Called when ``read(into:_:hasUnread:)`` has bytes again after it had none, on any thread.
    /// - Throws: The error of a body that cannot be read, or not a second time.
    mutating func begin(
        _ now: UInt64, unreachedSince unreached: UInt64?, headLimit: Int, whenReadable: @escaping @Sendable () -> Void
    ) throws -> Message {
        let next = chain.request
        let method = next.httpMethod ?? "GET"
        times.start(now, unreachedSince: unreached)
        hasHeldSending = false
        isMultiplexed = false
        wishes = []
        upload = try makeUpload(of: next, whenReadable: whenReadable)
        let isIdempotent = Self.idempotentMethods.contains(method)
        hop = HopState(
            HopState.Request(
                isIdempotent: isIdempotent,
                canRepeatBody: request.bodyStream == nil || chain.hasDroppedBody || withholdsBody,
                isHead: method == "HEAD"),
            headLimit: headLimit, failedSendings: failedSendings)
        body = CollectedBody(limit: request.maximumBodySize)
        return Message(
            method: method, url: urlToSend, fields: fieldsWithCredential(method), framing: framing,
            bodySize: upload.map { $0.count ?? -1 }, hasTrailers: upload?.trailers != nil, isIdempotent: isIdempotent)
    }

    private static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    /// Returns the upload of this hop's body; `nil` if no body is sent. The upload of a stream starts to read it.
    private func makeUpload(of next: URLRequest, whenReadable: @escaping @Sendable () -> Void) throws -> CurlUpload? {
        if withholdsBody { return nil }
        if let data = next.httpBody { return CurlUpload(data, progress: request.uploadProgress) }
        if let stream = request.bodyStream, !chain.hasDroppedBody {
            return CurlUpload(
                try stream.open(), count: stream.count, trailers: stream.trailers, progress: request.uploadProgress,
                resume: whenReadable)
        }
        // If the method usually has a body, a length of 0 declares its absence (RFC 9110, section 8.6).
        return next.expectsBody ? CurlUpload(Data(), progress: nil) : nil
    }

    private var framing: FieldLines.Framing {
        if upload != nil { return .body }
        return withholdsBody ? .lengthOfZero : .none
    }

    /// Records that a connection is established and the request is about to be written to it.
    ///
    /// - Returns: Whether the request may be written; `false` if libcurl would repeat one that must not be repeated.
    mutating func connected(over connection: ConnectionID, isMultiplexed: Bool, _ now: UInt64) -> Bool {
        self.isMultiplexed = isMultiplexed
        times.touch(now)
        return hop.connected(over: connection)
    }

    /// Gives libcurl the next bytes of the request body.
    ///
    /// Over HTTP/1, a server may respond and close before it has read the body. It then resets the connection when more
    /// data arrives, and sending fails before libcurl has read the response. So sending stops once until libcurl has
    /// read what arrived, unless the reader of the response has paused that. If only the end of the connection had
    /// arrived, the next call sends again, and libcurl reports the failure.
    ///
    /// - Parameter hasUnread: Whether something has arrived that libcurl has not read.
    mutating func read(
        into room: UnsafeMutableRawBufferPointer, _ now: UInt64, hasUnread: @autoclosure () -> Bool
    ) -> CurlUpload.Reading {
        // What has arrived can only be read after the decision, so nothing is sent that could make it be discarded.
        if hop.isUndecided { return .nothingYet }
        if !isMultiplexed, !times.isPaused, !hasHeldSending, hasUnread() {
            hasHeldSending = true
            // After a complete response, only the end of the connection can be read: the server does not read the rest
            // of the body.
            wishes.insert(hop.isComplete ? .end : .turn)
            return .nothingYet
        }
        let reading = upload?.read(into: room) ?? .failed
        if case .bytes(let count) = reading, count > 0 { times.touch(now) }
        return reading
    }
}

// Digest authentication. libcurl could respond to challenges itself. But it considers only the first challenge of a
// response, even one with an unknown algorithm (7.88), and keeps challenges from one request to the next.
extension CurlExchange {
    /// Whether this hop may respond to a challenge: only at the original origin, and only without an `Authorization`
    /// field.
    private var mayRespondToChallenge: Bool {
        digest != nil && !chain.hasLeftOrigin && chain.request.value(forHTTPHeaderField: "Authorization") == nil
    }

    /// Whether this hop is sent without the body of the request.
    private var withholdsBody: Bool { mayRespondToChallenge && digest?.withholdsBody == true && bodyForDigest.exists }

    private var bodyForDigest: DigestExchange.Body {
        let stream = chain.hasDroppedBody ? nil : request.bodyStream
        return DigestExchange.Body(
            exists: stream != nil || chain.request.httpBody?.isEmpty == false, isInMemory: stream == nil,
            canBeSentAgain: stream?.canBeReadAgain ?? true)
    }

    /// If the response has a challenge that can be met, prepares to send the request again and returns `true`. Does the
    /// same if the request has succeeded although its body was withheld, so that the body is sent.
    mutating func meetChallenge() -> Bool {
        guard mayRespondToChallenge else { return false }
        let body = bodyForDigest
        return digest?.goesOn(after: hop.head.statusCode, hop.head.fields, body: body) == true
    }

    /// Returns the header fields of this hop, with the response to a challenge.
    private mutating func fieldsWithCredential(_ method: String) -> [String: String] {
        var fields = chain.request.allHTTPHeaderFields ?? [:]
        guard mayRespondToChallenge else { return fields }
        let field = digest?.authorization(
            method: method, target: url.requestTarget, body: chain.request.httpBody ?? Data())
        if let field { fields["Authorization"] = field }
        return fields
    }

    /// The URL for libcurl. It has no user and password if Digest may be used, because libcurl would send them as
    /// Basic; and if they are empty, because libcurl would send empty credentials.
    private var urlToSend: String {
        // Most URLs have neither user nor password, and a search for a text takes much longer than for a byte.
        guard url.contains(byte: "@") else { return url }
        let isEmpty = url.contains("://@") || url.contains("://:@")
        return mayRespondToChallenge || isEmpty ? url.withoutUserInformation : url
    }
}
#endif
