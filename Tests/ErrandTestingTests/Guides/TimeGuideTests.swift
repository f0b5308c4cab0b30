import Errand
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide "Time", and tests of their results.
@Suite(.hangGuard) struct `The guide to time` {
    private let clock = ManualClock()
    private let stubs = RouteStubs()
    private let list = MockResponse.json("[]")

    @Test func `the guide's sample runs retry delays on a manual clock`() async throws {
        stubs.on(.get, "/v1/books", inTurn: [.status(503), .status(503), list])
        let request = BooksRequest(author: "Le Guin")
        request.retryPolicy = .constant(.seconds(10))
        request.retryPolicy?.clock = clock

        let books = try await stubs.run {
            try await clock.run { try await request.start().value }
        }

        #expect(books.isEmpty)
        #expect(clock.now.offset == .seconds(20))
    }

    @Test func `the guide's sample advances a manual clock step by step`() async throws {
        let stubs = RouteStubs(clock: clock)
        stubs.on(.get, "/v1/books", list.with(fault: .stallBeforeHead))
        try await stubs.scoped {
            let pipeline = BooksRequest(author: "Le Guin").start().timeout(.seconds(30), clock: clock)
            async let outcome = pipeline.result
            try await clock.waitForSleepers(2)
            clock.advance(by: .seconds(30))
            #expect(await outcome.failure?.code == .timedOut)
        }
    }

    @Test func `the guide's sample moves the dates of a cache with the clock`() async throws {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 1_800_000_000))
        let cache = HTTPCache(now: { clock.date })
        stubs.on(.get, "/v1/books", list.with(header: "Cache-Control", "max-age=60"), times: .exactly(2))

        try await stubs.run {
            for _ in 1...3 {
                let request = BooksRequest(author: "Le Guin")
                request.interceptors = [cache]
                _ = try await request.start().value
                clock.advance(by: .seconds(40))
            }
        }
    }
}

extension Result where Failure == any Error {
    /// The failure, if it is an `ErrandError`.
    var failure: ErrandError? {
        if case .failure(let error) = self { error as? ErrandError } else { nil }
    }
}
