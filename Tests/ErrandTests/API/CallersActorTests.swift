import Dispatch
import ErrandTesting
import Foundation
import TestSupport
import Testing

@testable import Errand

@Suite struct `The actor that sends a request` {
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

    private static func names(_ count: Int) -> Data {
        Data("[\(Array(repeating: #""Ingrid""#, count: count).joined(separator: ","))]".utf8)
    }

    @Test func `the executor counter of this suite detects a call off the caller's actor`() async throws {
        let changes = try await Caller().changesOfExecutor { await elsewhere() }
        #expect(changes == 1)
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
}

private final class CountingExecutor: SerialExecutor {
    let jobs = Locked(0)
    private let queue = DispatchQueue(label: "CountingExecutor")

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
