import Errand
import ErrandMockServer
import ErrandTesting
import Observation
import TestSupport
import Testing

@MainActor @Suite(.hangGuard) struct `An observable request` {
    private final class BooksRequest: APIBase, Request {
        init(_ stub: (BooksRequest) -> Pipeline<DataResponse, any Error>?) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            dataTaskPipeline = stub(self)
        }

        func start() -> Pipeline<[String], any Error> {
            sendRequest().decode([String].self)
        }
    }

    private static let books = Data(#"["Malafrena"]"#.utf8)

    @Test func `an observable request publishes the value of its run`() async throws {
        let request = ObservableRequest { BooksRequest { $0.stubJSONResponse(data: Self.books) }.schedule() }
        #expect(request.value == nil && !request.isRunning)
        let changes = Recorder<Bool>()
        withObservationTracking {
            _ = request.value
        } onChange: {
            changes.record(true)
        }
        await request.run()
        #expect(request.value == ["Malafrena"])
        #expect(request.failure == nil && !request.isRunning)
        #expect(changes.elements == [true])
    }

    @Test func `an observable request keeps its value during a new run and if that run fails`() async throws {
        let gate = Gate()
        var status = 200
        let request = ObservableRequest {
            BooksRequest { request in
                guard status != 200 else { return request.stubJSONResponse(data: Self.books) }
                let stub = request.stubResponse(statusCode: status)
                return Pipeline { () async throws(any Error) in
                    try await gate.pass()
                    return try await stub.value
                }
            }.schedule()
        }
        await request.run()
        status = 500
        let running = Task { await request.run() }
        try await gate.waitForArrivals(1)
        #expect(request.isRunning && request.value == ["Malafrena"])
        gate.open()
        await running.value
        #expect(request.value == ["Malafrena"])
        #expect((request.failure as? ErrandError)?.code == .unacceptableStatusCode)
        status = 200
        await request.run()
        #expect(request.failure == nil)
    }

    @Test func `a new run of an observable request replaces the running one`() async throws {
        let gate = Gate()
        var runs = 0
        let request = ObservableRequest {
            runs += 1
            let run = runs
            return BooksRequest { request in
                let stub = request.stubJSONResponse(data: Data("[\"\(run)\"]".utf8))
                return Pipeline { () async throws(any Error) in
                    if run == 1 { try await gate.pass() }
                    return try await stub.value
                }
            }.schedule()
        }
        let first = Task { await request.run() }
        try await gate.waitForArrivals(1)
        await request.run()
        #expect(request.value == ["2"])
        // The request was cancelled, so it does not wait at the gate.
        await first.value
        #expect(request.value == ["2"] && request.failure == nil && !request.isRunning)
    }

    @Test(arguments: [true, false])
    func `cancelling an observable request is not a failure`(_ cancelsTask: Bool) async throws {
        let gate = Gate()
        let request = ObservableRequest {
            BooksRequest { _ in
                Pipeline { () async throws(any Error) in
                    try await gate.pass()
                    return DataResponse(statusCode: 200)
                }
            }.schedule()
        }
        let running = Task { await request.run() }
        try await gate.waitForArrivals(1)
        if cancelsTask { running.cancel() } else { request.cancel() }
        await running.value
        #expect(!request.isRunning && request.failure == nil && request.value == nil)
    }

    @Test func `a cancelled run that replaces its error does not change the value`() async throws {
        let gate = Gate()
        let request = ObservableRequest {
            let run = Pipeline { () async throws(any Error) in
                try await gate.pass()
                return ["1"]
            }
            return ScheduledRequest(run.replaceError(with: []))
        }
        let running = Task { await request.run() }
        try await gate.waitForArrivals(1)
        running.cancel()
        await running.value
        #expect(!request.isRunning && request.value == nil)
    }

    @Test func `cancelling an observable request is not a failure if the class converts errors`() async throws {
        final class Converting: APIBase, Request {
            struct Converted: Error {}

            override class func mapError(_ error: any Error) -> any Error { Converted() }

            func start() -> Pipeline<[String], any Error> { sendRequest().decode([String].self) }
        }
        let gate = Gate()
        let request = ObservableRequest {
            let request = Converting()
            request.baseURL = URL(string: "https://library.example.com")
            request.dataTaskPipeline = Pipeline { () async throws(any Error) in
                try await gate.pass()
                return DataResponse(statusCode: 200)
            }
            return request.schedule()
        }
        let running = Task { await request.run() }
        try await gate.waitForArrivals(1)
        request.cancel()
        await running.value
        #expect(!request.isRunning && request.failure == nil && request.value == nil)
    }

    @Test func `an observable request can send an endpoint to a service, whose error it publishes`() async throws {
        struct Refused: Error {
            let status: Int?
        }
        let service = APIService(
            baseURL: "library.example.com", mapError: { Refused(status: ($0 as? ErrandError)?.statusCode) })
        let stubs = APIBase()
        let stub = stubs.stub(inTurn: [stubs.stubJSONResponse(data: Self.books), stubs.stubResponse(statusCode: 503)])
        let request = ObservableRequest { service.send(.get("/books", as: [String].self), stub: stub) }
        await request.run()
        #expect(request.value == ["Malafrena"] && request.failure == nil)
        await request.run()
        #expect(request.value == ["Malafrena"] && request.failure?.status == 503)
    }

    @Test func `an observable request publishes its progress`() async throws {
        let server = try MockServer()
        server.onAny { _ in .data(Data(#"["a"]"#.utf8), contentType: "application/json") }
        let request = ObservableRequest {
            let request = BooksRequest { _ in nil }
            request.baseURL = server.url
            request.timeoutInterval = .hangGuard
            return request.schedule()
        }
        await request.run()
        #expect(request.value == ["a"])
        #expect(request.downloadProgress == .init(completed: 5, total: 5))
        #expect(request.fractionCompleted == 1)
    }

    @Test func `an observable request that sends nothing ends`() async {
        final class Constant: APIBase, Request {
            func start() -> Pipeline<Int, Never> { .just(7) }
        }
        let request = ObservableRequest { Constant().schedule() }
        await request.run()
        #expect(request.value == 7 && !request.isRunning)
    }
}
