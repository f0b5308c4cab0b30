/// A type whose requests can be stubbed. Its methods create responses for `dataTaskPipeline` and for parameters named
/// `stub`, so that a test needs no network.
///
/// ```swift
/// let request = UsersRequest()
/// request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: fixture)
/// let users = try await request.start().value
/// ```
///
/// A stub replaces only the transport. The request is built, checked and retried, and the response is validated and
/// decoded as usual.
public protocol Stubbable {}

extension Stubbable {
    /// Creates a stub that responds with a Foundation response and a body.
    public func stub(with response: HTTPURLResponse, data: Data = Data()) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(response, data: data))
    }

    /// Creates a stub that responds with a status code, header fields and a body.
    ///
    /// If the body is not empty, `Content-Length` is its size, unless `headers` contains that field or a
    /// `Transfer-Encoding`.
    public func stubResponse(
        statusCode: Int = 200, data: Data = Data(), headers: HeaderFields = [:]
    ) -> Pipeline<DataResponse, any Error> {
        var headers = headers
        if !data.isEmpty, headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
            headers["Content-Length"] = String(data.count)
        }
        if let failure = Self.failure(of: headers) { return .fail(failure) }
        return .just(DataResponse(statusCode: statusCode, headers: headers, data: data))
    }

    /// Returns the error of a stub whose header fields have a line break.
    private static func failure(of headers: HeaderFields) -> ErrandError? {
        headers.lineBreak.map {
            ErrandError(.invalidHeaderField, reason: "the stub responds with \($0), which no server can send")
        }
    }

    /// Creates a stub that responds with JSON: like `stubResponse`, with `Content-Type: application/json` unless
    /// `headers` contains a `Content-Type`.
    public func stubJSONResponse(
        statusCode: Int = 200, data: Data, headers: HeaderFields = [:]
    ) -> Pipeline<DataResponse, any Error> {
        let json: HeaderFields = ["Content-Type": "application/json"]
        return stubResponse(statusCode: statusCode, data: data, headers: json.merging(headers))
    }

    /// Creates a stub whose body arrives in pieces, for ``APIBase/sendStream()``. An error that the sequence throws
    /// ends the body.
    ///
    /// A request that is not streamed gets the pieces as one body. Each attempt iterates the sequence again.
    public func stubStream<Pieces: AsyncSequence & Sendable>(
        statusCode: Int = 200, headers: HeaderFields = [:], _ pieces: Pieces
    ) -> Pipeline<DataResponse, any Error> where Pieces.Element == Data {
        stubStream(statusCode: statusCode, headers: headers) { ResponseBody(pieces) }
    }

    /// Creates a stub whose body arrives in pieces of text: like `stubStream` with a sequence of data.
    public func stubStream(
        statusCode: Int = 200, headers: HeaderFields = [:], _ pieces: [String]
    ) -> Pipeline<DataResponse, any Error> {
        stubStream(statusCode: statusCode, headers: headers) {
            // The pieces of a body are never empty.
            let rest = Locked(pieces.filter { !$0.isEmpty }.map { Data($0.utf8) }[...])
            return ResponseBody { rest.withLock { $0.popFirst() } }
        }
    }

    private func stubStream(
        statusCode: Int, headers: HeaderFields, body: @escaping @Sendable () -> ResponseBody
    ) -> Pipeline<DataResponse, any Error> {
        if let failure = Self.failure(of: headers) { return .fail(failure) }
        return Pipeline { () async throws(any Error) in
            DataResponse(statusCode: statusCode, headers: headers, body: body())
        }
    }

    /// Creates a stub that fails like a transport.
    ///
    /// The request fails with an ``ErrandError`` whose underlying error is `error`. Its code is `timedOut` or
    /// `cancelled` for a `URLError` of that meaning, and otherwise `transportFailed`. An ``ErrandError`` becomes the
    /// failure itself, a ``TransportFailure`` is replaced by its `URLError`, and a `CancellationError` cancels the
    /// request.
    public func stub(error: any Error) -> Pipeline<DataResponse, any Error> {
        .fail(error)
    }

    /// Creates a stub that uses one stub for each attempt, in order.
    ///
    /// ```swift
    /// request.dataTaskPipeline = request.stub(inTurn: [
    ///     request.stub(error: URLError(.networkConnectionLost)),
    ///     request.stubJSONResponse(data: fixture),
    /// ])
    /// ```
    ///
    /// A further attempt fails with ``ErrandError/Code-swift.struct/stubsExhausted``.
    public func stub(inTurn stubs: [Pipeline<DataResponse, any Error>]) -> Pipeline<DataResponse, any Error> {
        let used = Locked(0)
        return .deferred {
            let turn = used.withLock { used in
                defer { used += 1 }
                return used
            }
            guard stubs.indices.contains(turn) else {
                let reason = "all stubs (\(stubs.count)) are used, and attempt \(turn + 1) needs another"
                return .fail(ErrandError(.stubsExhausted, reason: reason))
            }
            return stubs[turn]
        }
    }
}
