import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `The pages of a list` {
    typealias Numbers = Pages<[Int]>

    @Test func `all pages are delivered in order`() async throws {
        let transport = PagedTransport.numbers(below: 25)
        let pages = Numbers(.pageNumber(size: 10), over: transport)
        #expect(try await pages.all() == [Array(0..<10), Array(10..<20), Array(20..<25)])
        #expect(transport.queries.elements == (1...3).map { "q=x&page=\($0)&per_page=10" })
    }

    @Test func `the items of all pages are delivered in order`() async throws {
        let transport = PagedTransport.numbers(below: 25)
        #expect(try await Numbers(.pageNumber(size: 10), over: transport).items.all() == Array(0..<25))
        #expect(transport.queries.elements.count == 3)
        let none = PagedTransport.numbers(below: 0)
        #expect(try await Numbers(.pageNumber(size: 10), over: none).items.all() == [])
    }

    @Test func `pages are not requested before they are needed`() async throws {
        let transport = PagedTransport.numbers(below: 25)
        let pages = Numbers(.pageNumber(size: 10), over: transport)
        var iterator = pages.items.makeAsyncIterator()
        #expect(transport.queries.elements.count == 0)
        for number in 0..<10 { #expect(try await iterator.next() == number) }
        #expect(transport.queries.elements.count == 1)
        #expect(try await iterator.next() == 10)
        #expect(transport.queries.elements.count == 2)
    }

    @Test func `each iteration starts at the first page`() async throws {
        let transport = PagedTransport.numbers(below: 15)
        let pages = Numbers(.pageNumber(size: 10), over: transport)
        var first = pages.makeAsyncIterator()
        _ = try await first.next()
        #expect(try await pages.items.all() == Array(0..<15))
        #expect(try await first.next() == Array(10..<15))
        #expect(try await first.next() == nil)
        #expect(try await first.next() == nil)
    }

    @Test func `pages can be iterated by several tasks at once`() async throws {
        let pages = Numbers(.pageNumber(size: 7), prefetch: true, over: PagedTransport.numbers(below: 100))
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<50 { group.addTask { try await pages.items.all() } }
            for try await items in group { #expect(items == Array(0..<100)) }
        }
    }

    @Test func `a failed page is requested again without losing items`() async throws {
        let failures = Recorder<Int>()
        let numbers = PagedTransport.numbers(below: 25)
        let transport = PagedTransport { url in
            let page = url.parameter("page") ?? 0
            if page == 2, failures.elements.count < 2 {
                failures.record(page)
                throw URLError(.networkConnectionLost)
            }
            return try await numbers.respond(url)
        }
        var iterator = Numbers(.pageNumber(size: 10), over: transport).items.makeAsyncIterator()
        var items: [Int] = []
        var errors = 0
        while true {
            do {
                guard let item = try await iterator.next() else { break }
                items.append(item)
            } catch ErrandError.Code.transportFailed {
                errors += 1
            }
        }
        #expect(items == Array(0..<25))
        #expect(errors == 2)
        #expect(transport.queries.elements.map { $0.contains("page=2&") } == [false, true, true, true, false])
    }

    @Test func `pages can be made by a closure that throws`() async throws {
        let pages = Pages(.pageNumber(size: 10)) { (page: PagePosition) async throws -> [Int] in
            if page.index == 1 { throw Fault.first }
            return Array(0..<10)
        }
        var iterator = pages.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 10)
        await #expect(throws: Fault.first) { try await iterator.next() }
    }

    /// A struct request with the position of its page.
    struct NumberList: EndpointRequest {
        let page: PagePosition
        var endpoint: Endpoint<[Int]> { .get("/list").page(page) }
    }

    @Test func `pages can be made from requests, pipelines, scheduled requests, structs and endpoints`() async throws {
        let transport = PagedTransport.numbers(below: 20, headers: ["X-Total-Count": "20"])
        let style = PaginationStyle.pageNumber(size: 10)
        let requests = Pages(style) { _ in ListRequest<[Int]>(transport) }
        let pipelines = Pages(style) { page in
            try await ListRequest<[Int]>(transport).at(page).start().map { $0 }.value
        }
        let scheduled = Pages(style) { page in ListRequest<[Int]>(transport).at(page).schedule() }
        let service = APIService(baseURL: "https://api.example.com/v1", session: transport)
        let structs = Pages(style) { page in NumberList(page: page).schedule(with: service) }
        let endpoints = Pages(style) { page in service.send(.get("/list", as: [Int].self).page(page)) }
        let expected = [Array(0..<10), Array(10..<20)]
        #expect(try await requests.all() == expected)
        #expect(try await pipelines.all() == expected)
        #expect(try await scheduled.all() == expected)
        #expect(try await structs.all() == expected)
        #expect(try await endpoints.all() == expected)
        // The header field stated the total, so there is no request for a third page.
        // Without a scheduled request, the total of the header field is not known.
        #expect(transport.queries.elements.count == 11)
    }

    // Totals.

    @Test func `pages are complete if items are removed or added meanwhile`() async throws {
        let count = Recorder<Int>()
        let transport = PagedTransport { url in
            let page = url.parameter("page") ?? 0
            count.record(page)
            // The last row of the list is removed after the first page, and two rows are added after the second.
            let size = [25, 24, 26][min(page, 3) - 1]
            return try await PagedTransport.numbers(below: size, headers: ["X-Total-Count": "\(size)"]).respond(url)
        }
        #expect(try await Numbers(.pageNumber(size: 10), over: transport).items.all() == Array(0..<26))
        #expect(count.elements == [1, 2, 3])
    }

    /// With a total that is too small, the list ends at the page that reaches it, unless more items were received.
    @Test(arguments: [(0, 25), (7, 25), (25, 25), (1_000, 25), (20, 20)])
    func `pages end at the total of the server, unless more items were received`(
        _ total: Int, _ count: Int
    ) async throws {
        let transport = PagedTransport.numbers(below: 25, headers: ["X-Total-Count": "\(total)"])
        for style in [PaginationStyle.pageNumber(size: 10), .pageNumber(size: 10, startingAt: 1)] {
            #expect(try await Numbers(style, over: transport).items.all() == Array(0..<count))
        }
        let own = PaginationStyle.pageNumber(size: 10, totalField: nil)
        #expect(try await Numbers(own, over: transport).items.all() == Array(0..<25))
    }

    /// A server that responds with 404 to a request for a page after the last one.
    private func strictServer(below count: Int, total: Int) -> PagedTransport {
        let numbers = PagedTransport.numbers(below: count, headers: ["X-Total-Count": "\(total)"])
        return PagedTransport { url in
            let page = try await numbers.respond(url)
            return page.data == Data("[]".utf8) ? DataResponse(statusCode: 404, headers: [:], data: Data()) : page
        }
    }

    @Test(arguments: [false, true])
    func `no page is requested after the page that reaches the total`(_ prefetch: Bool) async throws {
        let transport = strictServer(below: 20, total: 20)
        let pages = Numbers(.pageNumber(size: 10), prefetch: prefetch, over: transport)
        #expect(try await pages.items.all() == Array(0..<20))
        #expect(transport.queries.elements.count == 2)
    }

    @Test func `a 404 response without an announced end fails the pages`() async throws {
        for (count, total) in [(20, 21), (20, 30), (15, 25)] {
            let pages = Numbers(.pageNumber(size: 10), over: strictServer(below: count, total: total))
            await expectFailure(.unacceptableStatusCode) { try await pages.all() }
        }
    }

    @Test func `another error status after a short page fails the pages`() async throws {
        let numbers = PagedTransport.numbers(below: 15, headers: ["X-Total-Count": "25"])
        let transport = PagedTransport { url in
            url.parameter("page") == 3
                ? DataResponse(statusCode: 500, headers: [:], data: Data()) : try await numbers.respond(url)
        }
        await expectFailure(.unacceptableStatusCode) { try await Numbers(.pageNumber(size: 10), over: transport).all() }
    }

    // Loops.

    @Test func `a repeated page fails with a loop error`() async throws {
        let transport = PagedTransport { _ in .json([1, 2, 3]) }
        var iterator = Numbers(.pageNumber(size: 3), over: transport).makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2, 3])
        await expectFailure(.paginationLoop) { try await iterator.next() }
        await expectFailure(.paginationLoop) { try await iterator.next() }
        #expect(transport.queries.elements.last == "q=x&page=2&per_page=3")
    }

    struct Plain: Decodable, Sendable {
        var value: Int
    }

    @Test(arguments: [true, false])
    func `repeated pages of items without equality are recognized by their bodies`(_ isScheduled: Bool) async {
        let transport = PagedTransport { _ in .json([["value": 1]]) }
        let requests = Pages<[Plain]>(.pageNumber(size: 1), over: transport)
        let responses = Pages(.pageNumber(size: 1)) { ListRequest<[Plain]>(transport).at($0).schedule() }
        await expectFailure(.paginationLoop) { try await (isScheduled ? responses : requests).all() }
        #expect(transport.queries.elements.count == 2)
    }

    /// An element whose hash is the same for many values, which is allowed.
    struct Coarse: Codable, Hashable, Sendable {
        var kind: String
        var id: Int

        func hash(into hasher: inout Hasher) { hasher.combine(kind) }
    }

    @Test func `pages with different items of equal hash are not a loop`() async throws {
        let transport = PagedTransport { url in
            let page = url.parameter("page") ?? 0
            return .json(page > 3 ? [] : [Coarse(kind: "ferry", id: page)])
        }
        let items = try await Pages<[Coarse]>(.pageNumber(size: 1), over: transport).items.all()
        #expect(items.map(\.id) == [1, 2, 3])
    }

    @Test func `pages with equal items are allowed if configured`() async throws {
        let transport = PagedTransport { url in .json(url.parameter("page") == 3 ? [] : [0, 0]) }
        let pages = Numbers(.pageNumber(size: 2), limits: PageLimits(allowsEqualPages: true), over: transport)
        #expect(try await pages.items.all() == [0, 0, 0, 0])
    }

    @Test func `pages whose bodies differ only after the first bytes are not a loop`() async throws {
        let padding = String(repeating: "x", count: 5_000)
        let transport = PagedTransport { url in
            let page = url.parameter("page") ?? 0
            return page > 3 ? .json([Text]()) : .json([Text(text: padding + "\(page)")])
        }
        let texts = try await Pages<[Text]>(.pageNumber(size: 1), over: transport).items.all()
        #expect(texts.count == 3)
    }

    struct Text: Codable, Sendable {
        var text: String
    }

    @Test func `exceeding the maximum number of pages fails, and fails again`() async throws {
        let pages = Numbers(.pageNumber(size: 1), limits: PageLimits(pages: 2), over: PagedTransport.numbers(below: 9))
        var iterator = pages.makeAsyncIterator()
        #expect(try await iterator.next() == [0])
        #expect(try await iterator.next() == [1])
        await expectFailure(.tooManyPages) { try await iterator.next() }
        await expectFailure(.tooManyPages) { try await iterator.next() }
    }

    // Cancelling.

    @Test(arguments: [false, true])
    func `cancelling the task cancels the running request, and its page can be requested again`(_ prefetch: Bool)
        async throws
    {
        let gate = Gate()
        let cancelled = Recorder<String>()
        let pages = Pages(.pageNumber(size: 1), prefetch: prefetch) { page in
            try await Pipeline<[Int], any Error> {
                if page.index == 1 { try await gate.pass() }
                return [page.index]
            }
            .handleEvents(receiveCancel: { cancelled.record("page \(page.index)") })
            .value
        }
        let task = Task {
            var iterator = pages.makeAsyncIterator()
            _ = try await iterator.next()
            let error = await expectFailure(.cancelled) { try await iterator.next() }
            let again = await Task { 7 }.value
            return (error?.code, again)
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        #expect(try await task.value.0 == .cancelled)
        try await waitUntil { !cancelled.elements.isEmpty }
        #expect(cancelled.elements == ["page 1"])
    }

    @Test func `cancelling fails at once even if the closure ignores cancellation`() async throws {
        let (gate, reached) = (Gate(), Gate())
        let pages = Pages(.pageNumber(size: 1)) { (page: PagePosition) async throws -> [Int] in
            reached.open()
            await Task { try? await gate.pass() }.value
            return [page.index]
        }
        let task = Task {
            var iterator = pages.makeAsyncIterator()
            return try await iterator.next()
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        gate.open()
    }

    @Test func `a task that is already cancelled requests no page`() async throws {
        let transport = PagedTransport.numbers(below: 5)
        let pages = Numbers(.pageNumber(size: 10), over: transport)
        let gate = Gate()
        let task = Task {
            try? await gate.pass()
            return try await pages.all()
        }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(transport.queries.elements == [])
    }

    // Prefetching.

    @Test func `prefetching requests exactly the next page`() async throws {
        let arrivals = Gate()
        let transport = PagedTransport { url in
            arrivals.open()
            try await arrivals.pass()
            return try await PagedTransport.numbers(below: 100).respond(url)
        }
        var iterator = Numbers(.pageNumber(size: 10), prefetch: true, over: transport).makeAsyncIterator()
        #expect(transport.queries.elements.isEmpty)
        _ = try await iterator.next()
        try await arrivals.waitForArrivals(2)
        #expect(transport.queries.elements.count == 2)
        #expect(try await iterator.next() == Array(10..<20))
        try await arrivals.waitForArrivals(3)
        #expect(transport.queries.elements.count == 3)
    }

    @Test func `prefetching requests nothing after the last page`() async throws {
        let transport = PagedTransport.numbers(below: 15)
        #expect(try await Numbers(.pageNumber(size: 10), prefetch: true, over: transport).all().count == 2)
        #expect(transport.queries.elements.count == 2)
    }

    @Test func `a failed prefetch is reported when its page is needed, and then retried`() async throws {
        let failed = Gate()
        let tries = Recorder<Int>()
        let pages = Pages(.pageNumber(size: 2), prefetch: true) { page in
            try await Pipeline<[Int], any Error> {
                tries.record(page.index)
                if page.index == 1, tries.elements.count == 2 { throw Fault.second }
                return page.index == 2 ? [] : [page.index, page.index]
            }
            .handleEvents(receiveCompletion: {
                guard case .failure = $0 else { return }
                failed.open()
            })
            .value
        }
        var iterator = pages.items.makeAsyncIterator()
        #expect(try await iterator.next(isolation: #isolation) == 0)
        try await failed.pass()
        #expect(try await iterator.next(isolation: #isolation) == 0)
        await #expect(throws: Fault.second) { try await iterator.next(isolation: #isolation) }
        #expect(try await iterator.next(isolation: #isolation) == 1)
        #expect(try await iterator.next(isolation: #isolation) == 1)
        #expect(try await iterator.next(isolation: #isolation) == nil)
        #expect(tries.elements == [0, 1, 1, 2])
    }

    @Test func `releasing the iterator cancels a prefetch`() async throws {
        let (gate, cancelled) = (Gate(), Gate())
        let pages = Pages(.pageNumber(size: 1), prefetch: true) { page in
            try await Pipeline<[Int], any Error> {
                if page.index == 1 { try await gate.pass() }
                return [page.index]
            }
            .handleEvents(receiveCancel: { cancelled.open() })
            .value
        }
        for try await page in pages {
            #expect(page == [0])
            try await gate.waitForArrivals(1)
            break
        }
        try await cancelled.pass()
    }
}
