#if canImport(CCurl)
import CCurl

// One hop: the original request or a redirected one.
extension CurlTransfer {
    /// Configures a handle for this hop.
    ///
    /// - Throws: ``ErrandError`` for a body that cannot be read, or not a second time, and for features that this
    ///   libcurl does not support.
    func attach(_ handle: CurlHandle, engine: CurlEngine, maximumHeadSize: Int) throws {
        let next = chain.request
        let method = next.httpMethod ?? "GET"
        times.start(now, unreachedSince: origin?.unreachedSince)
        session = nil
        hasHeld = false
        upload = try makeUpload(of: next, method, engine: engine)
        let isIdempotent = Self.idempotentMethods.contains(method)
        hop = HopState(
            HopState.Request(
                isIdempotent: isIdempotent,
                canRepeatBody: request.bodyStream == nil || chain.hasDroppedBody || withholdsBody,
                isHead: method == "HEAD"),
            headLimit: maximumHeadSize, lostSendings: lostSendings)
        body = CollectedBody(limit: request.maximumBodySize)
        handle.forgetFailure()
        handle.transfer = self
        handle.tunnelAllowance = maximumHeadSize
        handle.setURL(urlForHandle)
        handle.connectMilliseconds = CurlHandle.milliseconds(timeToConnect)
        handle.setShape(
            CurlHandle.Shape(
                method: method, bodySize: upload.map { $0.count ?? -1 }, isSecure: url.hasPrefix("https:"),
                waitsForSharedConnection: origin?.hasFailed != true,
                needsNewConnection: !LibraryVersion.current.mayReuse(
                    isIdempotent: isIdempotent,
                    hasPriorKnowledge: handle.hasPriorKnowledge && !url.hasPrefix("https:")),
                hasTrailers: upload?.trailers != nil))
        // libcurl reports GOAWAY frames only in its log.
        handle.isLogged = LibraryVersion.current.mistakesConnectionErrorsForEnds && handle.mayMultiplex
        handle.setHosts(hostEntries)
        handle.keepsConnection = true
        hop.decodesBody = !handle.setFields(fieldsWithCredential(method), framing: framing(of: next, method))
        guard url.utf8.count + handle.fieldsSize <= FieldLines.maximumByteCount else {
            let reason = "the head of the request is longer than libcurl takes, 1 MiB"
            throw TransportFailure(URLError(.dataLengthExceedsMaximum), reason: reason)
        }
        if let refusal = handle.refusal { throw refusal }
        self.handle = handle
        setUnsettled(true)
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
        self.handle = nil
    }

    private static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    private func makeUpload(of next: URLRequest, _ method: String, engine: CurlEngine) throws -> CurlUpload? {
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
        return Self.expectsBody(method) ? CurlUpload(Data(), progress: nil) : nil
    }

    private static func expectsBody(_ method: String) -> Bool {
        switch method {
        case "POST", "PUT", "PATCH": true
        default: false
        }
    }

    private func framing(of next: URLRequest, _ method: String) -> FieldLines.Framing {
        if upload != nil { return .body }
        return withholdsBody ? .lengthOfZero : .none
    }

    /// Returns whether another hop follows: a redirect, a response to a challenge, or the same request again.
    func goesOn(after outcome: CurlOutcome) -> Bool {
        guard failure == nil, upload?.failure == nil else { return false }
        switch hop.end(outcome, isReused: metrics.isConnectionReused == true) {
        case .follow: lostSendings = 0
        case .beginAgain: lostSendings = hop.sendingsInVain
        case .response:
            hasResponse = true
            return false
        case .fail: return false
        }
        request.uploadProgress?.update(.init(completed: 0, total: request.bodySize))
        return true
    }
}
#endif
