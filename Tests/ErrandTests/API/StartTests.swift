import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The start of a request` {
    /// A leaf whose overrides run closures.
    private final class Leaf: APIBase, Request, StreamingRequest {
        var onStart: ((Leaf) -> Pipeline<DataResponse, any Error>?)?
        var onBuild: ((Leaf) throws -> URLRequest?)?
        var onHeaders: (() -> HeaderFields)?

        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            dataTaskPipeline = stubJSONResponse(data: Data("{}".utf8))
        }

        override var headers: HeaderFields {
            get { onHeaders?() ?? super.headers }
            set { super.headers = newValue }
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> { onStart?(self) ?? super.startRequest() }
        override func buildURLRequest() throws -> URLRequest { try onBuild?(self) ?? super.buildURLRequest() }
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        func startStream() -> ResponseStream { sendStream() }
    }

    private func expectNested(_ leaf: Leaf, _ send: (Leaf) async throws -> Void) async {
        await #expect {
            try await send(leaf)
        } throws: { error in
            guard let error = error as? ErrandError, error.code == .invalidSetting else { return false }
            return error.reason?.contains("call `super.startRequest()`") == true
        }
    }

    @Test func `an override of startRequest that sends the request again fails`() async throws {
        let overrides: [(Leaf) -> Pipeline<DataResponse, any Error>?] = [
            { $0.sendRequest().validateStatusCode(in: 200..<300) }, { $0.schedule().pipeline },
            { leaf in
                let stream = leaf.sendStream()
                return Pipeline { () async throws(any Error) in try await stream.open() }
            },
            { leaf in
                let download = leaf.sendDownload(to: URL(fileURLWithPath: "/nowhere/book"))
                return download.map { DataResponse(statusCode: $0.statusCode) }
            },
        ]
        for override in overrides {
            let leaf = Leaf()
            leaf.onStart = override
            await expectNested(leaf) { _ = try await $0.start().value }
            await expectNested(leaf) { _ = try await $0.schedule().value }
            await expectNested(leaf) { _ = try await $0.startStream().open() }
        }
    }

    @Test func `a request that buildURLRequest sends again fails`() async throws {
        let leaf = Leaf()
        var nested: Pipeline<DataResponse, any Error>?
        leaf.onBuild = { leaf in
            nested = leaf.sendRequest()
            return nil
        }
        #expect(try await leaf.start().value.statusCode == 200)
        let pipeline = try #require(nested)
        await expectNested(leaf) { _ in _ = try await pipeline.value }
    }

    @Test func `headers is read once for each start, and replaces an asynchronous field`() async throws {
        let leaf = Leaf()
        let reads = Locked(0)
        leaf.onHeaders = {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            return ["X-Read": "\(count)"]
        }
        leaf.asynchronousHeaders = { ["X-Read": "awaited", "X-Other": "awaited"] }
        let sent = Recorder<[String: String]>()
        leaf.interceptors = [Observing { sent.record($0.urlRequest.allHTTPHeaderFields ?? [:]) }]
        _ = try await leaf.start().value
        #expect(reads.withLock { $0 } == 1)
        #expect(sent.elements.map { $0["X-Read"] } == ["1"])
        #expect(sent.elements.map { $0["X-Other"] } == ["awaited"])
    }

    @Test func `an override may set properties before it calls super`() async throws {
        let leaf = Leaf()
        leaf.onStart = { leaf in
            leaf.headers["X-Start"] = "1"
            return nil
        }
        leaf.onBuild = { leaf in
            leaf.headers["X-Build"] = "2"
            return nil
        }
        _ = try await leaf.start().value
        #expect(leaf.request?.value(forHTTPHeaderField: "X-Start") == "1")
        #expect(leaf.request?.value(forHTTPHeaderField: "X-Build") == "2")
    }

    @Test func `the hook of a request that is not scheduled receives the response that the settings judged`() async {
        let leaf = Leaf()
        leaf.acceptedStatusCodes = [201]
        let outcomes = Recorder<RequestOutcome>()
        leaf.hook = RequestHook(didEnd: { outcomes.record($0) })
        _ = await leaf.start().result
        #expect(outcomes.elements.map { (try? $0.result.get()) == nil } == [true])
        #expect(outcomes.elements.first?.head?.statusCode == 200)
    }
}

/// An interceptor that calls a closure with each request.
private struct Observing: Interceptor {
    let observe: @Sendable (TransportRequest) -> Void

    init(_ observe: @escaping @Sendable (TransportRequest) -> Void) {
        self.observe = observe
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        observe(request)
        return try await next(request)
    }
}
