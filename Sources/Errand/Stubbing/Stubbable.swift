/// What can be given a stub: answers for `dataTaskPipeline` and `schedule(with:stub:)`, so that a test needs no network.
///
/// ```swift
/// let request = UsersRequest()
/// request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: fixture)
/// let users = try await request.start().value
/// ```
///
/// A stub takes the place of the transport alone: the request is built and checked, and the answer is validated,
/// retried and decoded as a real one.
public protocol Stubbable {}

extension Stubbable {
    /// A stub that answers with a head of Foundation's.
    public func stub(with response: HTTPURLResponse, data: Data = Data()) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(response, data: data))
    }

    /// A stub that answers with this status, these header fields and this body.
    public func stubResponse(
        statusCode: Int = 200, data: Data = Data(), headers: HeaderFields = [:]
    ) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(statusCode: statusCode, headers: headers, data: data))
    }

    /// A stub that answers with JSON: as `stubResponse`, and with `Content-Type: application/json` unless `headers`
    /// has one.
    public func stubJSONResponse(
        statusCode: Int = 200, data: Data, headers: HeaderFields = [:]
    ) -> Pipeline<DataResponse, any Error> {
        let json: HeaderFields = ["Content-Type": "application/json"]
        return stubResponse(statusCode: statusCode, data: data, headers: json.merging(headers))
    }

    /// A stub that answers with the content of a file: as `stubResponse`, and with the `Content-Type` of the fixture unless
    /// `headers` has one.
    public func stubResponse(
        statusCode: Int = 200, fixture: Fixture, headers: HeaderFields = [:]
    ) -> Pipeline<DataResponse, any Error> {
        let type: HeaderFields = ["Content-Type": fixture.contentType.description]
        return stubResponse(statusCode: statusCode, data: fixture.data, headers: type.merging(headers))
    }

    /// A stub whose body comes in pieces, for ``APIBase/sendStream()``; what the sequence throws breaks the body off.
    ///
    /// A request that is not streamed gets the pieces as one body. Each sending iterates the sequence once more.
    public func stubStream<Pieces: AsyncSequence & Sendable>(
        statusCode: Int = 200, headers: HeaderFields = [:], _ pieces: Pieces
    ) -> Pipeline<DataResponse, any Error> where Pieces.Element == Data {
        stubStream(statusCode: statusCode, headers: headers) { ResponseBody(pieces) }
    }

    /// A stub whose body comes in these pieces of text: as `stubStream` of a sequence of data.
    public func stubStream(
        statusCode: Int = 200, headers: HeaderFields = [:], _ pieces: [String]
    ) -> Pipeline<DataResponse, any Error> {
        stubStream(statusCode: statusCode, headers: headers) {
            let rest = Locked(pieces.filter { !$0.isEmpty }.map { Data($0.utf8) }[...])
            return ResponseBody { rest.withLock { $0.popFirst() } }
        }
    }

    private func stubStream(
        statusCode: Int, headers: HeaderFields, body: @escaping @Sendable () -> ResponseBody
    ) -> Pipeline<DataResponse, any Error> {
        Pipeline { () async throws(any Error) in
            DataResponse(statusCode: statusCode, headers: headers, body: body())
        }
    }

    /// A stub that fails as a transport does: with a `URLError`, to look like the network.
    ///
    /// The request then fails with an ``ErrandError`` that has `error` as its cause.
    public func stub(error: any Error) -> Pipeline<DataResponse, any Error> {
        .fail(error)
    }

    /// A stub that answers successive attempts with one stub each.
    ///
    /// ```swift
    /// request.dataTaskPipeline = request.stub(inTurn: [
    ///     request.stub(error: URLError(.networkConnectionLost)),
    ///     request.stubJSONResponse(data: fixture),
    /// ])
    /// ```
    ///
    /// One attempt more than there are stubs fails with ``ErrandError/Code-swift.struct/stubsExhausted``.
    public func stub(inTurn stubs: [Pipeline<DataResponse, any Error>]) -> Pipeline<DataResponse, any Error> {
        let used = Locked(0)
        return .deferred {
            let turn = used.withLock { used in
                defer { used += 1 }
                return used
            }
            guard stubs.indices.contains(turn) else {
                return .fail(ErrandError(.stubsExhausted, reason: "\(stubs.count) stubs, attempt \(turn + 1)"))
            }
            return stubs[turn]
        }
    }
}
