import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `Pages driven by ticks` {
    /// A sequence of ticks that a test sends, which counts the ticks that were processed.
    struct Ticks: AsyncSequence, Sendable {
        typealias Element = Void
        let stream: AsyncStream<Void>
        let send: AsyncStream<Void>.Continuation
        /// Each arrival is a reader that has processed all previous ticks.
        let reads = Gate()

        init() {
            (stream, send) = AsyncStream.makeStream()
            reads.open()
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var stream: AsyncStream<Void>.AsyncIterator
            let reads: Gate

            mutating func next() async -> Void? {
                try? await reads.pass()
                return await stream.next(isolation: #isolation)
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(stream: stream.makeAsyncIterator(), reads: reads)
        }

        /// Sends ticks, and waits until they have been processed.
        func callAsFunction(_ count: Int = 1) async throws {
            let before = reads.arrivals
            for _ in 0..<count { send.yield() }
            try await reads.waitForArrivals(Swift.max(before, 1) + count)
        }
    }

    let ticks = Ticks()
    let transport = PagedTransport.numbers(below: 25)
    var pages: Pages<[Int]> { Pages(.pageNumber(size: 10), over: transport) }

    @Test func `the first page is loaded at once, and one more for each tick`() async throws {
        var iterator = pages.driven(by: ticks).makeAsyncIterator()
        #expect(transport.queries.elements.isEmpty)
        #expect(try await iterator.next()?.get() == Array(0..<10))
        try await ticks()
        #expect(transport.queries.elements.count == 1)
        #expect(try await iterator.next()?.get() == Array(10..<20))
        try await ticks()
        #expect(try await iterator.next()?.get() == Array(20..<25))
        #expect(await iterator.next() == nil)
        #expect(transport.queries.elements.count == 3)
    }

    @Test func `loading the first page can wait for a tick`() async throws {
        let driven = pages.driven(by: ticks, startsAtOnce: false)
        let task = Task { () -> [Int]? in
            var iterator = driven.makeAsyncIterator()
            return try await iterator.next()?.get()
        }
        try await ticks.reads.waitForArrivals(1)
        #expect(transport.queries.elements.isEmpty)
        ticks.send.yield()
        #expect(try await task.value == Array(0..<10))
    }

    @Test func `ticks during a request are ignored`() async throws {
        let gate = Gate()
        let slow = PagedTransport { url in
            try await gate.pass()
            return try await PagedTransport.numbers(below: 25).respond(url)
        }
        let driven = Pages<[Int]>(.pageNumber(size: 10), over: slow).driven(by: ticks)
        let received = Recorder<Int>()
        let task = Task {
            for await page in driven { received.record(try page.get().count) }
        }
        try await gate.waitForArrivals(1)
        try await ticks(5)
        gate.open()
        ticks.send.finish()
        try await task.value
        #expect(received.elements == [10])
        #expect(slow.queries.elements.count == 1)
    }

    @Test func `a failed page is loaded again at the next tick`() async throws {
        let tries = Recorder<Int>()
        let pages = Pages(.pageNumber(size: 1)) { page in
            try await Pipeline<[Int], any Error> {
                tries.record(page.index)
                if tries.elements.count == 2 { throw Fault.first }
                return [page.index]
            }.value
        }
        var iterator = pages.driven(by: ticks).makeAsyncIterator()
        #expect(try await iterator.next()?.get() == [0])
        try await ticks()
        let failed = await iterator.next()
        #expect(throws: Fault.first) { try failed?.get() }
        try await ticks()
        #expect(try await iterator.next()?.get() == [1])
        #expect(tries.elements == [0, 1, 1])
    }

    @Test func `driven pages end with the ticks, but not before the requested page`() async throws {
        ticks.send.yield()
        ticks.send.finish()
        let driven = pages.driven(by: ticks)
        var iterator = driven.makeAsyncIterator()
        #expect(try await iterator.next()?.get() == Array(0..<10))
        var count = 1
        while await iterator.next() != nil { count += 1 }
        #expect(count <= 2)
        #expect(transport.queries.elements.count == count)
    }

    @Test func `driven pages end when the ticks fail`() async throws {
        struct Failing: AsyncSequence, AsyncIteratorProtocol, Sendable {
            typealias Element = Int
            mutating func next() async throws -> Int? { throw Fault.first }
            func makeAsyncIterator() -> Failing { self }
        }
        var count = 0
        for await page in pages.driven(by: Failing()) {
            count += try page.get().count
        }
        #expect(count == 10)
    }

    @Test func `cancelling the task ends driven pages at once and cancels the request`() async throws {
        let (gate, cancelled) = (Gate(), Gate())
        let pages = Pages(.pageNumber(size: 1)) { _ in
            try await Pipeline<[Int], any Error> {
                try await gate.pass()
                return []
            }
            .handleEvents(receiveCancel: { cancelled.open() })
            .value
        }
        let driven = pages.driven(by: ticks)
        let task = Task {
            var count = 0
            for await _ in driven { count += 1 }
            return count
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        #expect(await task.value == 0)
        try await cancelled.pass()
    }

    @Test func `cancelling a task that waits for a tick ends driven pages and the ticks`() async throws {
        let ended = Gate()
        ticks.send.onTermination = { _ in ended.open() }
        let driven = pages.driven(by: ticks, startsAtOnce: false)
        let task = Task {
            for await _ in driven { Issue.record("there was no tick") }
        }
        try await ticks.reads.waitForArrivals(1)
        task.cancel()
        await task.value
        try await ended.pass()
    }

    @Test func `ticks are no longer read after the last page or when the iterator is released`() async throws {
        let ended = Gate()
        ticks.send.onTermination = { _ in ended.open() }
        for await page in pages.driven(by: ticks) {
            #expect(try page.get().count == 10)
            break
        }
        try await ended.pass()

        let (others, end) = (Ticks(), Gate())
        others.send.onTermination = { _ in end.open() }
        var iterator = Pages<[Int]>(.pageNumber(size: 50), over: PagedTransport.numbers(below: 0)).driven(by: others)
            .makeAsyncIterator()
        #expect(try await iterator.next()?.get() == [])
        try await end.pass()
        #expect(await iterator.next() == nil)
    }

    @Test func `a pagination loop fails at each tick`() async throws {
        let circle = PagedTransport { _ in .json([1]) }
        var iterator = Pages<[Int]>(.pageNumber(size: 1), over: circle).driven(by: ticks).makeAsyncIterator()
        #expect(try await iterator.next()?.get() == [1])
        for _ in 0..<2 {
            try await ticks()
            let result = await iterator.next()
            await expectFailure(.paginationLoop) { try result?.get() }
        }
    }
}

struct `The gate for ticks` {
    @Test func `one early tick is kept for the next request`() {
        var state = TickState(isOpen: false)
        #expect(state.tick() == nil)
        #expect(state.tick() == nil)
        #expect(state.ask(PipelinePromise())?.mayPass == true)
        state.finish()
        #expect(state.ask(PipelinePromise()) == nil)
    }

    @Test func `ticks are dropped while a request is running`() {
        var state = TickState(isOpen: true)
        #expect(state.ask(PipelinePromise())?.mayPass == true)
        #expect(state.tick() == nil)
        state.finish()
        #expect(state.ask(PipelinePromise()) == nil)
        #expect(state.tick()?.mayPass == true)
    }

    @Test func `no task waits for a tick after the ticks have ended`() {
        var state = TickState(isOpen: false)
        #expect(state.ask(PipelinePromise()) == nil)
        #expect(state.end()?.mayPass == false)
        #expect(state.ask(PipelinePromise())?.mayPass == false)
        var open = TickState(isOpen: true)
        #expect(open.end() == nil)
        #expect(open.ask(PipelinePromise())?.mayPass == true)
    }
}
