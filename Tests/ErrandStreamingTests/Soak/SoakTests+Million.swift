import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

extension `Soak tests` {
    /// The response to each request of the long run.
    struct Novel: Codable, Hashable {
        var id: Int
        var title: String
    }

    class ShelfAPI: APIBase {
        init(_ server: MockServer) {
            super.init()
            baseURL = server.url
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().validateStatusCode(in: 200..<300).hasContentType("application/json")
        }
    }

    final class NovelRequest: ShelfAPI, Request {
        init(_ server: MockServer, id: Int) {
            super.init(server)
            path = "/books/\(id)"
        }

        func start() -> Pipeline<Novel, any Error> { sendRequest().decode(Novel.self) }
    }

    /// The number of requests of the long run: `ERRAND_SOAK_REQUESTS`, or a million by default.
    static let longRun =
        ProcessInfo.processInfo.environment["ERRAND_SOAK_REQUESTS"].flatMap { Int($0) } ?? 1_000_000

    /// Sends the requests as a user writes them: an object for each request, both validations, a decoded value, and the
    /// default transport.
    @Test func `a million requests in one process leave nothing behind`() async throws {
        let server = try MockServer()
        server.keptRequests = 0
        server.on(.get, "/books/:id") { request in
            try .json(encodable: Novel(id: request.parameters["id"].flatMap { Int($0) } ?? 0, title: "Errand"))
        }
        let warmUp = Self.longRun / 10
        try await fetchNovels(0..<warmUp, from: server)
        let descriptors = try Footprint.descriptors().count
        let before = try Footprint.residentBytes()
        let start = ContinuousClock.now
        try await fetchNovels(warmUp..<Self.longRun, from: server)
        let time = start.duration(to: .now)
        let after = try Footprint.residentBytes()
        print(
            "\(Self.longRun) requests: \(before >> 10) KiB after \(warmUp), \(after >> 10) KiB at the end;",
            "\(descriptors) descriptors, \(try Footprint.descriptors().count) at the end; \(time) for the last",
            "\(Self.longRun - warmUp), over \(server.acceptedConnections) connections")
        #expect(after - before < Self.allowance)
        #expect(try Footprint.descriptors().count <= descriptors)
        try await server.waitUntil { $0.requests == Self.longRun }
        #expect(server.acceptedConnections <= 64)
    }

    private func fetchNovels(_ ids: Range<Int>, from server: MockServer) async throws {
        let next = Locked(ids.lowerBound)
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    while case let id = next.take(), id < ids.upperBound {
                        let book = try await NovelRequest(server, id: id).start().value
                        guard book == Novel(id: id, title: "Errand") else { throw Fault.first }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension Locked<Int> {
    /// Returns the number, and adds one to it.
    fileprivate func take() -> Int {
        withLock { number in
            defer { number += 1 }
            return number
        }
    }
}
