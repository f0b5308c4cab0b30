#if canImport(CCurl)
import CCurl

// One hop: the original request, a redirected one, or the same one again. It has a handle while libcurl performs it.
// When the head of a response arrives, ``chain`` and ``digest`` decide whether another request follows, and change the
// request. At the end of the hop, ``hop`` decides what follows.
extension CurlTransfer {
    /// Configures a handle for this hop.
    ///
    /// - Throws: ``CurlHandle/refusal``; the error of a body that cannot be read, or not a second time;
    ///   ``TransportFailure`` for a head that is too long.
    func attach(_ handle: CurlHandle, engine: CurlEngine, maximumHeadSize: Int) throws {
        let next = chain.request
        let method = next.httpMethod ?? "GET"
        times.start(now, unreachedSince: origin?.unreachedSince)
        session = nil
        hasHeldSending = false
        upload = try makeUpload(of: next, engine: engine)
        let isIdempotent = Self.idempotentMethods.contains(method)
        hop = HopState(
            HopState.Request(
                isIdempotent: isIdempotent,
                canRepeatBody: request.bodyStream == nil || chain.hasDroppedBody || withholdsBody,
                isHead: method == "HEAD"),
            headLimit: maximumHeadSize, failedSendings: failedSendings)
        body = CollectedBody(limit: request.maximumBodySize)
        handle.forgetFailure()
        handle.transfer = self
        handle.tunnelAllowance = maximumHeadSize
        handle.setURL(urlForHandle)
        handle.connectMilliseconds = CurlHandle.milliseconds(timeToConnect)
        handle.setShape(shape(for: handle, method, isIdempotent: isIdempotent))
        // libcurl reports GOAWAY frames only in its log.
        handle.isLogged = LibraryVersion.current.mistakesConnectionErrorsForEnds && handle.mayMultiplex
        handle.setHosts(hostEntries)
        handle.keepsConnection = true
        hop.decodesBody = !handle.setFields(fieldsWithCredential(method), framing: framing)
        guard url.utf8.count + handle.fieldsSize <= FieldLines.maximumByteCount else {
            let reason = "the head of the request is longer than libcurl takes, 1 MiB"
            throw TransportFailure(URLError(.dataLengthExceedsMaximum), reason: reason)
        }
        if let refusal = handle.refusal { throw refusal }
        self.handle = handle
        setUnsettled(true)
    }

    /// Returns the properties of this hop's request that decide how a handle is configured.
    private func shape(for handle: CurlHandle, _ method: String, isIdempotent: Bool) -> CurlHandle.Shape {
        // A scheme may have uppercase letters (RFC 3986, section 3.1).
        let isSecure = url.prefix(6).lowercased() == "https:"
        let mayReuse = LibraryVersion.current.mayReuse(
            isIdempotent: isIdempotent, hasPriorKnowledge: handle.hasPriorKnowledge && !isSecure)
        return CurlHandle.Shape(
            method: method, bodySize: upload.map { $0.count ?? -1 }, isSecure: isSecure,
            waitsForSharedConnection: origin?.hasFailed != true, needsNewConnection: !mayReuse,
            hasTrailers: upload?.trailers != nil)
    }

    /// Detaches the handle, so that other transfers can use it, and collects its metrics.
    func detach() {
        guard let handle else { return }
        setUnsettled(false)
        metrics.collect(from: handle, queueing: times.started &- times.submitted, redirects: chain.followed)
        if hop.wasSentAgain { handle.mayHaveRetried = true }
        upload?.cancel()
        isDone = false
        handle.transfer = nil
        handle.checksNextLine = false
        handle.wasUsed = true
        self.handle = nil
    }

    private static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    /// Returns the upload of this hop's body; `nil` if no body is sent. The upload of a stream starts to read it.
    private func makeUpload(of next: URLRequest, engine: CurlEngine) throws -> CurlUpload? {
        if withholdsBody { return nil }
        if let data = next.httpBody { return CurlUpload(data, progress: request.uploadProgress) }
        if let stream = request.bodyStream, !chain.hasDroppedBody {
            return CurlUpload(
                try stream.open(), count: stream.count, trailers: stream.trailers, progress: request.uploadProgress
            ) { [weak self] in
                if let self { engine.submit(.resumeUpload(self)) }
            }
        }
        // If the method usually has a body, a length of 0 declares its absence (RFC 9110, section 8.6).
        return next.expectsBody ? CurlUpload(Data(), progress: nil) : nil
    }

    private var framing: FieldLines.Framing {
        if upload != nil { return .body }
        return withholdsBody ? .lengthOfZero : .none
    }

    /// Returns whether another hop follows: a redirect, a response to a challenge, or the same request again. If so,
    /// prepares the transfer for it. Must be called after ``detach()``, which collects the metrics.
    func goesOn(after outcome: CurlOutcome) -> Bool {
        guard failure == nil, upload?.failure == nil else { return false }
        switch hop.end(outcome, isReused: metrics.isConnectionReused == true) {
        case .follow:
            failedSendings = 0
            metrics.forgetConnection()
        case .beginAgain: failedSendings = hop.allFailedSendings
        case .response:
            hasResponse = true
            return false
        case .fail: return false
        }
        // The next hop may have to wait, and meanwhile must not count as complete.
        hop = .notStarted
        request.uploadProgress?.update(.init(completed: 0, total: request.bodySize))
        return true
    }

    private static let contextOptions = [
        CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
        CCURLOPT_TRAILERDATA,
    ]

    /// Sets the callbacks of a new handle. Their context is the handle, because its transfer changes.
    static func prepareCallbacks(of handle: CurlHandle) {
        let context = Unmanaged.passUnretained(handle).toOpaque()
        for option in contextOptions { handle.set(option, context: context) }
        prepareReceiving(by: handle)
        prepareSending(by: handle)
        prepareLog(of: handle, context)
    }

    private static func prepareReceiving(by handle: CurlHandle) {
        let easy = handle.easy
        let head = ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION)) { bytes, size, count, context in
            let line = UnsafeBufferPointer(bytes, count: size * count)
            return CurlTransfer.transfer(at: context).receive(line: line) ? line.count : 0
        }
        handle.note(head, of: CCURLOPT_HEADERFUNCTION)
        let body = ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION)) { bytes, size, count, context in
            let piece = UnsafeBufferPointer(bytes, count: size * count)
            return switch CurlTransfer.transfer(at: context).receive(piece) {
            case .taken: piece.count
            case .notYet: Int(CCURL_WRITEFUNC_PAUSE)
            // Any other count than the offered one ends the transfer. For an empty piece, 0 would not.
            case .refused: piece.count + 1
            }
        }
        handle.note(body, of: CCURLOPT_WRITEFUNCTION)
    }

    private static func prepareSending(by handle: CurlHandle) {
        let easy = handle.easy
        let read = ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION)) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return switch CurlTransfer.transfer(at: context).read(into: room) {
            case .bytes(let count): count
            case .nothingYet: Int(CCURL_READFUNC_PAUSE)
            case .failed: Int(CCURL_READFUNC_ABORT)
            }
        }
        handle.note(read, of: CCURLOPT_READFUNCTION)
        let seek = ccurl_set_seek_callback(easy) { context, offset, origin in
            let hasSought =
                origin == SEEK_SET && CurlTransfer.transfer(at: context).upload?.seek(to: Int(offset)) == true
            return Int32(hasSought ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }
        handle.note(seek, of: CCURLOPT_SEEKFUNCTION)
        guard LibraryVersion.current.asksBeforeSending else { return }
        handle.set(CCURLOPT_PREREQDATA, context: Unmanaged.passUnretained(handle).toOpaque())
        let ask = ccurl_set_prerequest_callback(easy) { context, remote, local, remotePort, localPort in
            let connection = ConnectionID(remote: remote, remotePort: remotePort, local: local, localPort: localPort)
            let mayBeSent = CurlTransfer.transfer(at: context).noteConnection(connection)
            return Int32(mayBeSent ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
        }
        handle.note(ask, of: CCURLOPT_PREREQFUNCTION)
    }

    /// Makes libcurl request the trailer fields after a body.
    static func sendTrailers(by handle: CurlHandle) {
        let result = ccurl_set_trailer_callback(handle.easy) { list, context in
            let lines = CurlTransfer.transfer(at: context).upload?.trailerLines
            for line in lines ?? [] { list?.pointee = ccurl_list_append(list?.pointee, line) ?? list?.pointee }
            return Int32(CCURL_TRAILERFUNC_OK)
        }
        handle.note(result, of: CCURLOPT_TRAILERFUNCTION)
    }

    /// Sets the callback for what libcurl logs while ``CurlHandle/isLogged`` is `true`.
    private static func prepareLog(of handle: CurlHandle, _ context: UnsafeMutableRawPointer) {
        let result = ccurl_set_log_callback(
            handle.easy,
            { _, kind, text, size, context in
                if kind == CCURLINFO_HEADER_IN {
                    CurlHandle.at(context).transfer?.check(loggedLine: text.map { UInt8(bitPattern: $0.pointee) })
                } else if kind == CCURLINFO_DATA_IN {
                    CurlHandle.at(context).transfer?.receive(chunked: size)
                } else if ccurl_is_goaway(kind, text, size) {
                    CurlHandle.at(context).transfer?.serverSentGoAway()
                }
                return 0
            }, context)
        handle.note(result, of: CCURLOPT_DEBUGFUNCTION)
    }

    private static func transfer(at context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let transfer = CurlHandle.at(context).transfer else {
            preconditionFailure("libcurl calls back only for a transfer that is on its handle")
        }
        return transfer
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate init(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) {
        self = UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: UInt8.self)
    }
}

// Digest authentication. libcurl could respond to challenges itself. But it considers only the first challenge of a
// response, even one with an unknown algorithm (7.88), and keeps challenges from one request to the next.
extension CurlTransfer {
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
    func meetChallenge() -> Bool {
        guard mayRespondToChallenge else { return false }
        return digest?.goesOn(after: hop.head.statusCode, hop.head.fields, body: bodyForDigest) == true
    }

    /// Returns the header fields of this hop, with the response to a challenge.
    private func fieldsWithCredential(_ method: String) -> [String: String] {
        var fields = chain.request.allHTTPHeaderFields ?? [:]
        guard mayRespondToChallenge else { return fields }
        let field = digest?.authorization(
            method: method, target: url.requestTarget, body: chain.request.httpBody ?? Data())
        if let field { fields["Authorization"] = field }
        return fields
    }

    /// The URL for libcurl. It has no user and password if Digest may be used, because libcurl would send them as
    /// Basic; and if they are empty, because libcurl would send empty credentials.
    private var urlForHandle: String {
        // Most URLs have neither user nor password, and a search for a text takes much longer than for a byte.
        guard url.utf8.contains(UInt8(ascii: "@")) else { return url }
        let isEmpty = url.contains("://@") || url.contains("://:@")
        return mayRespondToChallenge || isEmpty ? url.withoutUserInformation : url
    }
}

extension String {
    /// The path and the query of this URL, in the form in which libcurl sends them: without dot segments (RFC 3986,
    /// section 5.2.4).
    var requestTarget: String {
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
