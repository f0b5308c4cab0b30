import Dispatch
import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

struct `The actor that sends a request` {
    @Test func `a stubbed request is sent, validated and decoded without leaving the caller's actor`() async throws {
        let changes = try await Caller().changesOfExecutor {
            let request = NamesRequest()
            request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"["Ingrid"]"#.utf8))
            let names = try await request.start().value
            #expect(names == ["Ingrid"])
        }
        #expect(changes == 0)
    }

    @Test func `a body of more than 32 KiB is decoded off the caller's actor, and a smaller one on it`() async throws {
        func changes(_ count: Int) async throws -> Int {
            try await Caller().changesOfExecutor { () async throws in
                let request = NamesRequest()
                request.dataTaskPipeline = request.stubJSONResponse(data: Self.names(count))
                let names = try await request.start().value
                #expect(names.count == count)
            }
        }
        #expect(try await changes(10) == 0)
        #expect(try await changes(10_000) == 1)
    }

    @Test func `the body of a struct request is encoded off the caller's actor, and that of a class on it`()
        async throws
    {
        let noting = ThreadNoting()
        let url = URL(string: "https://api.example.com/names")
        _ = try await noting.caller.changesOfExecutor { () async throws in
            let request = Endpoint<Void>.post(url: url, body: .json(noting))
            try await request.schedule(stub: request.stubResponse(statusCode: 201)).value
        }
        #expect(noting.encodings.withLock { $0 } == [false])
        _ = try await noting.caller.changesOfExecutor { () async throws in
            let request = NamesRequest()
            request.method = .post
            request.body = .json(noting)
            request.dataTaskPipeline = request.stubJSONResponse(data: Self.names(1))
            _ = try await request.start().value
        }
        #expect(noting.encodings.withLock { $0 } == [false, true])
    }

    private static func names(_ count: Int) -> Data {
        Data("[\(Array(repeating: #""Ingrid""#, count: count).joined(separator: ","))]".utf8)
    }

    @Test func `the executor counter of this suite detects a call off the caller's actor`() async throws {
        let changes = try await Caller().changesOfExecutor { await elsewhere() }
        #expect(changes == 1)
    }
}

/// A value that records whether it is encoded on its caller's actor.
private struct ThreadNoting: Encodable, Sendable {
    let caller = Caller()
    let encodings = Locked<[Bool]>([])

    func encode(to encoder: any Encoder) throws {
        encodings.withLock { $0.append(caller.isRunning) }
        var container = encoder.singleValueContainer()
        try container.encode("Ingrid")
    }
}

/// An actor that counts how often work returns to it.
private actor Caller {
    private let executor = CountingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func changesOfExecutor(during work: nonisolated(nonsending) () async throws -> Void) async throws -> Int {
        let before = executor.jobs.withLock { $0 }
        try await work()
        return executor.jobs.withLock { $0 } - before
    }

    /// Whether the current code runs on this actor.
    nonisolated var isRunning: Bool { executor.isCurrent }
}

private final class CountingExecutor: SerialExecutor {
    let jobs = Locked(0)
    private let queue = DispatchQueue(label: "CountingExecutor")
    private let mark = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: mark, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.withLock { $0 += 1 }
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}

@concurrent private func elsewhere() async { _ = await Task { 0 }.value }

private final class NamesRequest: APIBase, Request {
    override init() {
        super.init()
        baseURL = URL(string: "https://api.example.com/names")
    }

    func start() -> Pipeline<[String], any Error> { sendRequest().decode([String].self) }
}
