#if canImport(CCurl)
import CCurl
import CEvents

/// One request on its way through an engine: what is sent, what has come, and who waits for it.
///
/// `@unchecked Sendable` holds because all that changes belongs to the loop's thread, from the moment the transfer is
/// submitted; before that, the task that makes it has the only reference. The caller is answered once, by ``end(_:)`` or
/// ``refuse(_:)``, both of which look at ``isOver``.
final class CurlTransfer: @unchecked Sendable {
    /// Who waits for the answer.
    enum Delivery {
        case buffered(UnsafeContinuation<DataResponse, any Error>)
        /// Nil once the head was given.
        case streamed(UnsafeContinuation<DataResponse, any Error>?, CurlBody)
    }

    let request: TransportRequest
    var delivery: Delivery?
    private(set) var isOver = false
    /// Its cancellation came first.
    var isCancelledBeforeStart = false

    // The hop that is under way.
    private(set) var handle: CurlHandle?
    /// Where the loop keeps it.
    var slot = 0
    /// Whose connections it uses, and since when it waits for one, in the order of arrivals.
    var origin: CurlOrigin?
    var arrival = 0
    private var chain: RedirectChain {
        didSet { url = Self.url(of: chain.request) }
    }
    /// Where it goes now.
    private(set) var url: String
    private(set) var upload: CurlUpload?
    private var head = CurlHead(limit: 0)
    private var challenge = CurlChallenge.none
    private var body = CurlBuffer(limit: 0)
    /// What has come of a streamed body, and was not handed over yet.
    private var pending = CurlPiece()
    private var pendingBodies: CurlPendingBodies?
    /// How many bytes the body will have, decoded, where the head tells.
    private var expectedCount: Int64?
    /// Why a callback ended the transfer, which libcurl cannot know.
    private var failure: (any Error)?
    /// How often the hop was sent.
    private var connections = 0
    /// How often it was sent in vain before it was begun again.
    private var lostSends = 0
    /// The answer is whole, and libcurl was kept from asking again.
    private var isAnswered = false
    private var metrics = TransferMetrics()

    // When it has to end, in nanoseconds.
    private var clock: Monotonic?
    private var submittedAt: UInt64 = 0
    private var startedAt: UInt64 = 0
    private var lastActivity: UInt64 = 0
    private(set) var deadline = UInt64.max
    private var isPausedByReader = false
    private let idleLimit: UInt64

    /// - Throws: ``ErrandError`` for a body that cannot be sent.
    init(_ request: TransportRequest) throws(ErrandError) {
        self.request = request
        chain = RedirectChain(request.urlRequest, policy: request.redirectPolicy)
        url = Self.url(of: request.urlRequest)
        idleLimit = Duration(bounding: request.urlRequest.timeoutInterval).nanoseconds
        if request.urlRequest.httpMethod == "HEAD", (request.bodySize ?? 1) > 0 {
            throw ErrandError(.unsupportedByTransport, reason: "libcurl sends no HEAD with a body")
        }
    }

    private static func url(of request: URLRequest) -> String { request.url?.absoluteString ?? "" }

    private var isMultiplexed: Bool { (handle?.long(CCURLINFO_HTTP_VERSION) ?? 0) >= CCURL_HTTP_VERSION_2_0 }
}

// Time.
extension CurlTransfer {
    var isSubmitted: Bool { clock != nil }

    func submitted(_ clock: Monotonic, _ pendingBodies: CurlPendingBodies, defaultTimeout: UInt64) {
        self.clock = clock
        self.pendingBodies = pendingBodies
        submittedAt = clock.now
        lastActivity = submittedAt
        deadline = submittedAt &+ (request.resourceTimeout?.nanoseconds ?? defaultTimeout)
    }

    private var now: UInt64 { clock?.now ?? submittedAt }

    /// Something happened.
    func touch() {
        lastActivity = now
    }

    /// When it has to end unless something happens; while it waits for its turn or for its reader, only the whole of it
    /// is bounded.
    var nextDeadline: UInt64 {
        handle == nil || isPausedByReader ? deadline : min(deadline, lastActivity &+ idleLimit)
    }

    /// Why it is ended when ``nextDeadline`` has passed; to be read before it is detached from its handle.
    var timeoutReason: TimeoutReason {
        let isTotal = nextDeadline == deadline
        let length = Duration.nanoseconds(Int64(clamping: isTotal ? deadline - submittedAt : idleLimit))
        return TimeoutReason(isTotal ? .total(length) : .idle(length), handle?.phase ?? .connectionLimit)
    }

    /// The reader of the body has room again.
    func readerHasCaughtUp() {
        isPausedByReader = false
    }
}

// One hop: the request itself, or where it was redirected to.
extension CurlTransfer {
    /// Puts everything about this hop into a handle.
    ///
    /// - Throws: ``ErrandError`` for a body that cannot be read, or not again.
    func attach(_ handle: CurlHandle, engine: CurlEngine, maximumHeadSize: Int) throws {
        let next = chain.request
        let method = next.httpMethod ?? "GET"
        head = CurlHead(limit: maximumHeadSize)
        body = CurlBuffer(limit: request.maximumBodySize)
        connections = 0
        let credential = digestCredential
        challenge = credential == nil ? .none : .expected
        startedAt = now
        lastActivity = startedAt
        upload = try makeUpload(of: next, method, engine: engine)
        handle.forgetFailure()
        handle.transfer = self
        handle.setURL(url)
        handle.setShape(
            CurlHandle.Shape(
                method: method, bodySize: upload.map { $0.count ?? -1 }, isSecure: url.hasPrefix("https:"))
        )
        head.isDecoded = !handle.setFields(next.allHTTPHeaderFields ?? [:], framing: framing(of: next, method))
        if let credential { handle.answerDigest(with: credential) }
        self.handle = handle
    }

    /// Frees the handle for others, with what it knows taken down.
    func detach() {
        guard let handle else { return }
        metrics.collect(from: handle, queueing: startedAt &- submittedAt, redirects: chain.followed)
        upload?.cancel()
        handle.transfer = nil
        self.handle = nil
    }

    private func makeUpload(of next: URLRequest, _ method: String, engine: CurlEngine) throws -> CurlUpload? {
        // An empty body is said by its length alone where a challenge is expected: what has a body, libcurl sends twice.
        if let data = next.httpBody, challenge == .none || !data.isEmpty {
            return CurlUpload(data, progress: request.uploadProgress)
        }
        if let stream = request.bodyStream, !chain.hasDroppedBody {
            return CurlUpload(try stream.open(), count: stream.count, progress: request.uploadProgress) {
                [weak self] in
                if let self { engine.submit(.resumeUpload(self)) }
            }
        }
        // Where a body is expected, its absence is said by a length of 0 (RFC 9110, section 8.6).
        return challenge == .none && Self.expectsBody(method) ? CurlUpload(Data(), progress: nil) : nil
    }

    private static func expectsBody(_ method: String) -> Bool {
        switch method {
        case "POST", "PUT", "PATCH": true
        default: false
        }
    }

    /// What a challenge is answered with now: for the origin that the request was made for, and unless it says who it is.
    private var digestCredential: PasswordCredential? {
        guard let credential = request.digestCredential, !chain.hasLeftOrigin else { return nil }
        return chain.request.value(forHTTPHeaderField: "Authorization") == nil ? credential : nil
    }

    /// Whether its next handle is given a credential.
    var answersChallenges: Bool { digestCredential != nil }

    private func framing(of next: URLRequest, _ method: String) -> FieldLines.Framing {
        if upload != nil { return .body }
        return next.httpBody != nil || Self.expectsBody(method) ? .lengthOfZero : .none
    }

    /// Whether there is another hop: to where the head leads, or to the same place once more.
    func goesOn(after outcome: CurlOutcome) -> Bool {
        if outcome.isSuccess { return head.isRedirect }
        guard mayBeginAgain(after: outcome) else { return false }
        lostSends += connections
        request.uploadProgress?.update(.init(completed: 0, total: request.bodySize))
        return true
    }

    /// Whether a connection that was used before died under the request, before an answer came.
    ///
    /// Mostly libcurl sends it again by itself, six times in all. It does not where an HTTP/2 server says farewell to this one
    /// request alone (RFC 9113, section 6.8) or closes without a word, nor where a body was being sent (7.88).
    private func mayBeginAgain(after outcome: CurlOutcome) -> Bool {
        outcome.isConnectionLoss && failure == nil && upload?.failure == nil
            && metrics.isConnectionReused == true && head.isEmpty && lostSends + connections <= 6
            && Self.isIdempotent(chain.request) && (request.bodyStream == nil || chain.hasDroppedBody)
    }
}

// What libcurl tells; called by its callbacks, on the loop's thread.
extension CurlTransfer {
    /// A connection stands, and the request is about to be written to it.
    ///
    /// libcurl writes a request again when a connection that was used before dies before it answers. Where the server may
    /// have acted on the first, that is not ours to risk. It also does without the expectation after a 417, which is an
    /// answer to whoever expected something.
    func mayBeSent() -> Bool {
        connections += 1
        if connections > 1 { handle?.mayHaveRetried = true }
        if challenge == .open {
            challenge = .none
            head.beginAgain()
            connections = 1
            return true
        }
        if head.isWhole {
            isAnswered = true
            return false
        }
        return connections == 1 || Self.isIdempotent(chain.request)
    }

    private static func isIdempotent(_ request: URLRequest) -> Bool {
        idempotentMethods.contains(request.httpMethod ?? "GET")
    }

    private static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    /// A line of the head, or of the trailers behind a chunked body, which nobody has asked for.
    ///
    /// - Returns: Whether the transfer goes on.
    func receive(line: UnsafeBufferPointer<UInt8>) -> Bool {
        lastActivity = now
        do {
            if try head.add(line) {
                challenge.meet(head.statusCode, isWithoutBody: upload != nil)
                if challenge != .open { try headIsWhole() }
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// libcurl did not ask again, so that the head it has come to is the answer's.
    private func settleChallenge() throws {
        guard challenge == .open else { return }
        challenge = .none
        try headIsWhole()
    }

    private func headIsWhole() throws {
        if isMultiplexed { origin?.isMultiplexed = true }
        if head.statusCode >= 300 { upload?.stop() }
        if RedirectChain.isRedirect(head.statusCode), try chain.follow(response(with: Data())) {
            head.isRedirect = true
            request.uploadProgress?.update(.init(completed: 0, total: request.bodySize))
            return
        }
        let encoding = try head.contentEncoding
        let count = try head.contentLength
        // What a content coding expands to is not known before the end.
        expectedCount = encoding == nil ? count.map(Int64.init) : nil
        switch delivery {
        case .buffered:
            body.begin(expecting: count, contentEncoding: encoding)
        case .streamed(let continuation?, let stream):
            delivery = .streamed(nil, stream)
            stream.begin(contentEncoding: encoding)
            tellSanitizerOfHandOver()
            continuation.resume(
                returning: DataResponse(
                    statusCode: head.statusCode, headers: head.fields, url: chain.request.url, body: stream.sequence))
        case .streamed, nil:
            break
        }
    }

    /// A piece of the body.
    func receive(_ piece: UnsafeBufferPointer<UInt8>) -> CurlReceipt {
        lastActivity = now
        guard !head.isRedirect else { return .taken }
        do {
            try settleChallenge()
            if case .streamed(_, let stream) = delivery {
                isPausedByReader = !stream.hasRoom(besides: pending.count)
                if isPausedByReader { return .notYet }
                collect(piece)
                return .taken
            }
            try body.receive(piece)
            request.downloadProgress?.update(.init(completed: Int64(body.count), total: expectedCount))
            return .taken
        } catch {
            failure = error
            return .refused
        }
    }
}

// A streamed body.
extension CurlTransfer {
    private func collect(_ part: UnsafeBufferPointer<UInt8>) {
        if pending.isEmpty { pendingBodies?.add(self) }
        pending.append(part)
        if pending.isFull { handOver() }
    }

    /// Gives the reader what has come.
    func handOver() {
        guard !pending.isEmpty, case .streamed(_, let stream) = delivery else { return }
        stream.add(pending.take())
    }
}

// The end.
extension CurlTransfer {
    /// Answers the caller.
    func end(_ outcome: CurlOutcome) {
        handOver()
        isOver = true
        metrics.total = .nanoseconds(Int64(now &- submittedAt))
        let result = result(of: outcome)
        tellSanitizerOfHandOver()
        switch delivery {
        case .buffered(let continuation):
            continuation.resume(with: result)
        case .streamed(let continuation, let stream):
            if case .failure(let error) = result, let continuation { continuation.resume(throwing: error) }
            stream.end(result.map { _ in })
        case nil:
            break
        }
        delivery = nil
    }

    /// A continuation hands over by itself what was done before it is resumed, but the thread sanitizer does not see that
    /// where it is resumed before its task has begun to wait (Swift 6.3), and has to be told.
    private func tellSanitizerOfHandOver() {
        cevents_hand_over(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The other side of it, for the caller.
    func tellSanitizerOfTakeOver() {
        cevents_take_over(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Answers a caller whose request could not even be begun.
    func end(failure error: any Error) {
        failure = error
        end(CurlOutcome(failure: .unknown))
    }

    /// Answers a caller whose request is not sent any more: it was cancelled, or came after the engine's end.
    func refuse(_ reason: URLError.Code = .cancelled) {
        end(CurlOutcome(failure: reason))
    }

    private func result(of outcome: CurlOutcome) -> Result<DataResponse, any Error> {
        Result {
            if let code = outcome.failure, !isAnswered {
                guard let failure = failure ?? upload?.failure else {
                    throw TransportFailure(URLError(code), reason: outcome.reason, metrics: metrics)
                }
                throw (failure as? URLError).map { TransportFailure($0, metrics: metrics) as any Error } ?? failure
            }
            // libcurl takes a connection that closes inside the head for the end of a body.
            guard head.isWhole else { throw TransportFailure(URLError(.networkConnectionLost), metrics: metrics) }
            try settleChallenge()
            if case .buffered = delivery {
                try body.finish(metrics)
            }
            return response(with: body.data)
        }
    }

    private func response(with data: Data) -> DataResponse {
        DataResponse(
            statusCode: head.statusCode, headers: head.fields, data: data, url: chain.request.url,
            method: request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:)), metrics: metrics)
    }
}
#endif
