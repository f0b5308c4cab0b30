import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Faults that show only after a hundred thousand requests or a gigabyte. `.ci/deep soak` runs these tests one at a
/// time, since they measure the whole process.
@Suite(.serialized, .deep(.soak))
struct `Soak tests` {
    static let count = 100_000
    /// The allowed growth of the memory in bytes, at the end or in between.
    static let allowance = 16 << 20

    enum Peer: CaseIterable {
        case live
        case refusing
        case stalling
    }

    @Test(arguments: Peer.allCases)
    func `a hundred thousand cancelled requests leave nothing behind`(_ peer: Peer) async throws {
        let server = try RawServer { connection in
            while connection.readHead().hasSuffix("\r\n\r\n") {
                if peer == .stalling { continue }
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            }
        }
        let refusing = try MockServer.refusing()
        let url = peer == .refusing ? refusing.url : server.url
        var random = SeededChance(seed: 7)
        // The first requests warm up the library, whose descriptors, threads and allocator arenas stay.
        _ = await cancel(5_000, at: url, &random)
        let before = try Footprint.descriptors()
        let bytes = try Footprint.residentBytes()
        let counts = await cancel(Self.count, at: url, &random)
        let growth = try Footprint.residentBytes() - bytes
        print("\(peer): \(counts), \(growth >> 10) KiB more")
        #expect(counts.total == Self.count)
        #expect(counts.cancelled > Self.count / 100)
        #expect(growth < Self.allowance)
        // The server closes its connections after the client, and the last thread may not have ended yet.
        try await waitUntil {
            try Footprint.descriptors().isSubset(of: before) && Footprint.threads(named: "Errand.Curl") <= 1
        }
    }

    @Test func `a hundred thousand requests leave nothing behind`() async throws {
        let body = String(repeating: "x", count: 5_000)
        let server = try RawServer { connection in
            while connection.readHead().hasSuffix("\r\n\r\n") {
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        let session = CurlTransport()
        let pipeline = Probe(server.url, session).start()
        try await send(5_000, of: pipeline)
        let before = try Footprint.residentBytes()
        try await send(Self.count, of: pipeline)
        let growth = try Footprint.residentBytes() - before
        print("plain: \(growth >> 10) KiB more")
        #expect(growth < Self.allowance)
        await session.shutdown()
    }

    @Test func `reading a gigabyte slowly uses little memory`() async throws {
        let size = 1 << 30
        let block = Data(count: 256 << 10)
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<size / block.count { try connection.write(block) }
        }
        let session = CurlTransport()
        let response = try await session.stream(
            TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard)))
        let before = try Footprint.residentBytes()
        var (count, peak, next) = (0, before, 0)
        for try await piece in response.body {
            count += piece.count
            // The server has filled every buffer before the reader continues.
            for _ in 0..<20 { await Task.yield() }
            guard count >= next else { continue }
            next += 8 << 20
            peak = max(peak, try Footprint.residentBytes())
        }
        print("slow reader: \((peak - before) >> 10) KiB more at most")
        #expect(count == size)
        #expect(peak - before < Self.allowance)
        await session.shutdown()
    }

    private func send(_ count: Int, of pipeline: Pipeline<DataResponse, any Error>) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<count / 16 {
                        let size = try await pipeline.value.data.count
                        #expect(size == 5_000)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends this number of requests over a new engine, a thousand at once, cancels each at a random moment, and counts
    /// the outcomes.
    private func cancel(_ count: Int, at url: URL, _ random: inout SeededChance) async -> Counts {
        let session = CurlTransport()
        let pipeline = Probe(url, session).start()
        var counts = Counts()
        for _ in 0..<count / 1_000 {
            let delays = (0..<1_000).map { _ in Int.random(in: 0..<300, using: &random) }
            await withTaskGroup { group in
                for delay in delays {
                    group.addTask {
                        let task = Task { await pipeline.result }
                        for _ in 0..<delay { await Task.yield() }
                        task.cancel()
                        return await task.value
                    }
                }
                for await outcome in group { counts.add(outcome) }
            }
        }
        await session.shutdown()
        return counts
    }
}

/// The outcomes of requests that were cancelled.
private struct Counts: CustomStringConvertible {
    var succeeded = 0
    var cancelled = 0
    var failed = 0

    var total: Int { succeeded + cancelled + failed }
    var description: String { "\(succeeded) succeeded, \(cancelled) cancelled, \(failed) failed" }

    mutating func add(_ outcome: Result<DataResponse, any Error>) {
        switch outcome {
        case .success: succeeded += 1
        case .failure(ErrandError.Code.cancelled): cancelled += 1
        case .failure: failed += 1
        }
    }
}
