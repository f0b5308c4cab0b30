import Errand
import ErrandResilience
import TestSupport
import Testing

@Suite(.hangGuard) struct `Coalescing identical requests` {
    private let gate = Gate()
    private let sent = Recorder<TransportRequest>()

    /// Responds to every request that passes the gate; records the requests that are cancelled there.
    private func next(_ result: Result<DataResponse, URLError> = .success(DataResponse(statusCode: 200))) -> Next {
        Next { [sent, gate] request in
            sent.record(request)
            try await gate.pass()
            return try result.get()
        }
    }

    /// Sends each request with the interceptor. All of them run when this returns.
    private func send(
        _ requests: [TransportRequest], with coalescing: Coalescing, next: Next
    ) async throws -> [Task<DataResponse, any Error>] {
        try await begin(requests, waiting: coalescing.waitingCount) { try await coalescing.intercept($0, next: next) }
    }

    @Test func `identical requests are sent once and receive the same response`() async throws {
        let coalescing = Coalescing()
        let response = DataResponse(statusCode: 200, data: Data("shared".utf8))
        let tasks = try await send(
            [limitedRequest(), limitedRequest(), limitedRequest()], with: coalescing, next: next(.success(response)))
        gate.open()
        for task in tasks { #expect(try await task.value.data == Data("shared".utf8)) }
        #expect(sent.elements.count == 1)
    }

    @Test func `a request that an interceptor sends during a transfer does not wait for that transfer`() async throws {
        let coalescing = Coalescing()
        let other = limitedRequest(headers: ["X-Other": "1"])
        let server = Next { [sent] request in
            sent.record(request)
            return DataResponse(statusCode: 200)
        }
        // The identical request is sent directly, and by an interceptor of another request.
        let again = Next { request in
            _ = try await coalescing.intercept(request, next: server)
            return try await coalescing.intercept(
                other, next: Next { _ in try await coalescing.intercept(request, next: server) })
        }
        let response = try await coalescing.intercept(limitedRequest(), next: again)
        #expect(response.statusCode == 200)
        #expect(sent.elements.count == 2)
    }

    @Test func `requests with different Authorization fields are not coalesced`() async throws {
        let requests = ["Bearer a", "Bearer b", "Bearer a"].map { limitedRequest(headers: ["Authorization": $0]) }
        let tasks = try await send(requests, with: Coalescing(), next: next())
        gate.open()
        for task in tasks { _ = try await task.value }
        let credentials = sent.elements.map { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
        #expect(credentials.count == 2)
        #expect(Set(credentials) == ["Bearer a", "Bearer b"])
    }

    @Test func `requests with different Digest credentials are not coalesced`() async throws {
        let requests = ["a", "b", "a"].map { password in
            var request = limitedRequest()
            request.digestCredential = PasswordCredential(user: "u", password: password)
            return request
        }
        let tasks = try await send(requests, with: Coalescing(), next: next())
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(Set(sent.elements.map(\.digestCredential?.password)) == ["a", "b"])
        #expect(sent.elements.count == 2)
    }

    @Test func `requests with different traces are coalesced`() async throws {
        let requests = [TraceParent(), TraceParent()].map { trace in
            var request = limitedRequest()
            request.urlRequest.setValue(trace.description, forHTTPHeaderField: "traceparent")
            return request
        }
        let tasks = try await send(requests, with: Coalescing(), next: next())
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(sent.elements.count == 1)
        #expect(sent.elements.first?.urlRequest.value(forHTTPHeaderField: "traceparent") != nil)
    }

    @Test func `all coalesced requests receive a failure`() async throws {
        let tasks = try await send(
            [limitedRequest(), limitedRequest()], with: Coalescing(), next: next(.failure(URLError(.badServerResponse)))
        )
        gate.open()
        for task in tasks { await #expect(throws: URLError.self) { try await task.value } }
        #expect(sent.elements.count == 1)
    }

    @Test func `a cancelled request leaves its coalesced transfer, and the others continue`() async throws {
        let tasks = try await send([limitedRequest(), limitedRequest()], with: Coalescing(), next: next())
        tasks[0].cancel()
        let error = await expectFailure(.cancelled) { try await tasks[0].value }
        #expect(error?.url?.host == "api.example.com")
        gate.open()
        #expect(try await tasks[1].value.statusCode == 200)
        #expect(sent.elements.count == 1)
    }

    @Test func `a coalesced transfer is cancelled when its last request is cancelled`() async throws {
        let ended = Gate()
        let next = Next { [gate] _ in
            do {
                try await gate.pass()
                return DataResponse(statusCode: 200)
            } catch {
                ended.open()
                throw error
            }
        }
        let tasks = try await send([limitedRequest(), limitedRequest()], with: Coalescing(), next: next)
        for task in tasks { task.cancel() }
        for task in tasks { await expectFailure(.cancelled) { try await task.value } }
        try await ended.pass()
    }

    @Test func `a request after the end of a coalesced transfer is sent again`() async throws {
        let coalescing = Coalescing()
        gate.open()
        for _ in 1...2 { _ = try await coalescing.intercept(limitedRequest(), next: next()) }
        #expect(sent.elements.count == 2)
    }

    @Test func `a request after a cancelled coalesced transfer is sent again`() async throws {
        let coalescing = Coalescing()
        let tasks = try await send([limitedRequest()], with: coalescing, next: next())
        try await gate.waitForArrivals(1)
        tasks[0].cancel()
        await expectFailure(.cancelled) { try await tasks[0].value }
        let later = try await send([limitedRequest()], with: coalescing, next: next())
        gate.open()
        #expect(try await later[0].value.statusCode == 200)
    }

    @Test func `requests with different priorities are sent separately`() async throws {
        let requests = [RequestPriority.low, .high, .normal, .high].map { limitedRequest(priority: $0) }
        let tasks = try await send(requests, with: Coalescing(), next: next())
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(sent.elements.map(\.priority).sorted() == [.low, .normal, .high])
    }

    @Test func `a closure excludes requests from coalescing`() async throws {
        let coalescing = Coalescing { $0.urlRequest.value(forHTTPHeaderField: "X-Fresh") == nil }
        gate.open()
        let requests = [limitedRequest(headers: ["X-Fresh": "1"]), limitedRequest(headers: ["X-Fresh": "1"])]
        async let one = coalescing.intercept(requests[0], next: next())
        async let other = coalescing.intercept(requests[1], next: next())
        _ = try await (one, other)
        #expect(sent.elements.count == 2)
    }

    @Test func `streamed requests are not coalesced`() async throws {
        let coalescing = Coalescing()
        let passed = Gate()
        let next = Next { _ in
            try await passed.pass()
            return DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data()))
        }
        var streamed = limitedRequest()
        streamed.streamsResponse = true
        let tasks = (1...2).map { _ in
            Task { [streamed] in try await coalescing.intercept(streamed, next: next) }
        }
        try await passed.waitForArrivals(2)
        passed.open()
        for task in tasks { _ = try await task.value }
    }

    @Test func `coalescing sends nothing for a task that is already cancelled`() async {
        let task = Task { [next = next()] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Coalescing().intercept(limitedRequest(), next: next)
        }
        await expectFailure(.cancelled) { try await task.value }
        #expect(sent.elements.isEmpty)
    }

    @Test func `coalescing completes every request when many are cancelled`() async throws {
        let coalescing = Coalescing()
        let next = Next { _ in
            await Task.yield()
            return DataResponse(statusCode: 204)
        }
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<600 {
                group.addTask {
                    let request = limitedRequest("https://a.example/\(number % 3)")
                    let task = Task { try await coalescing.intercept(request, next: next) }
                    if number % 2 == 0 { task.cancel() }
                    switch await task.result {
                    case .success(let response): return response.statusCode == 204
                    case .failure(let error): return number % 2 == 0 && ErrandError.Code.cancelled ~= error
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes.count == 600)
        #expect(outcomes.allSatisfy { $0 })
        #expect(coalescing.waitingCount == 0)
    }

    @Test func `a body that an interceptor streams is complete for all requests that share it`() async throws {
        /// Responds to every request with a body in pieces.
        struct Streaming: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                let pieces = Locked(["ab", "cd"][...])
                let body = ResponseBody { pieces.withLock { $0.popFirst().map { Data($0.utf8) } } }
                return DataResponse(statusCode: 200, headers: [:], body: body)
            }
        }
        final class Fetch: APIBase, Request {
            override init() {
                super.init()
                baseURL = URL(string: "https://api.example.com")
                interceptors = [Coalescing(), Streaming()]
            }
            func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
        }
        let pipeline = Fetch().start()
        async let first = pipeline.value
        async let second = pipeline.value
        #expect(try await [first, second] == [Data("abcd".utf8), Data("abcd".utf8)])
        #expect(try await pipeline.value == Data("abcd".utf8))
    }

    @Test func `coalesced request objects share a transfer, and the progress of each ends`() async throws {
        final class Shared: APIBase, Request {
            init(_ coalescing: Coalescing, _ transport: GatedTransport) {
                super.init()
                baseURL = URL(string: "https://api.example.com")
                interceptors = [coalescing]
                session = transport
            }
            func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        }
        let coalescing = Coalescing()
        let transport = GatedTransport()
        var tasks: [Task<DataResponse, any Error>] = []
        var progress: [TransferProgress] = []
        for count in 1...2 {
            let request = Shared(coalescing, transport)
            progress.append(request.downloadProgress)
            let pipeline = request.start()
            tasks.append(Task { try await pipeline.value })
            try await waitUntil { coalescing.waitingCount == count }
        }
        let watching = Task { [watched = progress[1]] in
            var last: TransferProgress.Snapshot?
            for await snapshot in watched { last = snapshot }
            return last
        }
        transport.gate.open()
        for task in tasks { #expect(try await task.value.data.count == 3) }
        #expect(await watching.value == TransferProgress.Snapshot(completed: 3, total: 3))
        #expect(transport.gate.arrivals == 1)
    }
}

private final class GatedTransport: Transport {
    let gate = Gate()

    func send(_ request: TransportRequest) async throws -> DataResponse {
        try await gate.pass()
        return DataResponse(statusCode: 200, data: Data("all".utf8))
    }
}
