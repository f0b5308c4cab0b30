import Errand
import TestSupport
import Testing

// The samples of Pagination.md, compiled and run.

private class DirectoryAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://api.example.com/v1")
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
    }
}

private struct Person: Codable, Equatable, Sendable {
    var id: Int
}

private final class PeopleRequest: DirectoryAPI, Request {
    override init() {
        super.init()
        path = "/people"
    }

    func start() -> Pipeline<[Person], any Error> { sendRequest().decode([Person].self) }
}

private struct PeoplePage: Codable, PaginatedData {
    var people: [Person]
    var page, pageSize, total: Int
    var pageItems: [Person] { people }
}

private struct Timeline: Codable, CursorPage {
    var people: [Person]
    var nextCursor: String?

    var pageItems: [Person] { people }
}

private struct SearchResult: Codable, PageContent {
    var hits: [Person]
    var totalHits: Int
    var hasMore: Bool
    var pageItems: [Person] { hits }
    var pageInfo: PageInfo { PageInfo(total: totalHits, next: hasMore ? .more : .last) }
}

struct `The guide to pagination` {
    private static let staging = APIService(baseURL: "staging.example.com/v1")

    /// Compiled but not run, because the server does not exist.
    private func goThroughAll() async throws {
        let service = Self.staging
        let pages = Pages(.pageNumber(size: 50)) { _ in PeopleRequest() }

        for try await page in pages { print(page.count) }
        for try await person in pages.items { print(person.id) }
        for try await page in pages.prefix(3) { print(page.count) }
        let followers = Pages(.cursor(nextField: "X-Next")) { page in
            service.send(.get("/followers", as: [Person].self).page(page))
        }
        for try await follower in followers.items { print(follower.id) }
        _ = Pages(.link()) { page in
            let request = PeopleRequest()
            request.pagePosition = page
            return request.schedule(with: service)
        }
    }

    private func offerRetry(_ error: any Error) { Issue.record(error) }

    private func people(_ ids: Range<Int>) throws -> Data {
        try JSONEncoder().encode(ids.map(Person.init))
    }

    @Test func `the guide's sample iterates over the pages of a stub`() async throws {
        let answers = [try people(0..<2), try people(2..<3)]
        let pages = Pages(.pageNumber(size: 2)) { page in
            let request = PeopleRequest()
            request.dataTaskPipeline = request.stubJSONResponse(data: answers[page.index])
            return request
        }
        var people: [Person] = []
        for try await person in pages.items { people.append(person) }
        #expect(people.map(\.id) == [0, 1, 2])
    }

    @Test func `the guide's sample retries a failed page`() async throws {
        let people = [Person(id: 1)]
        let failures = Recorder<Int>()
        let pages = Pages(.pageNumber(size: 1)) { (page: PagePosition) async throws -> [Person] in
            failures.record(page.index)
            if failures.elements.count == 1 { throw ErrandError(.timedOut) }
            return page.index == 0 ? people : []
        }
        var found: [Person] = []

        var iterator = pages.makeAsyncIterator()
        while true {
            do {
                guard let page = try await iterator.next() else { break }
                found += page
            } catch ErrandError.Code.timedOut {}
        }

        #expect(found == people)
    }

    @Test func `the guide's sample tests a single page request`() throws {
        let request = PeopleRequest()
        request.pagePosition = PaginationStyle.pageNumber(size: 50).firstPosition
        #expect(try request.buildURLRequest().url?.query == "page=1&per_page=50")
    }

    @Test func `the guide's sample reads pages that report their position`() async throws {
        let numbered = Pages(.pageNumber(size: 2)) { page async -> PeoplePage in
            let people = page.index == 0 ? [Person(id: 0), Person(id: 1)] : [Person(id: 2)]
            return PeoplePage(people: people, page: page.index + 1, pageSize: 2, total: 3)
        }
        var counts: [Int] = []
        for try await page in numbered { counts.append(try page.pageCount) }
        #expect(counts == [2, 2])

        let timeline = Pages(.cursor(limit: 1)) { page async -> Timeline in
            Timeline(people: [Person(id: page.index)], nextCursor: page.cursor == nil ? "more" : nil)
        }
        #expect(try await timeline.items.all().map(\.id) == [0, 1])

        let search = Pages(.offset(limit: 1)) { page async -> SearchResult in
            SearchResult(hits: [Person(id: page.index)], totalHits: 2, hasMore: page.offset == 0)
        }
        #expect(try await search.items.all().map(\.id) == [0, 1])
    }

    /// The guide's sample of a list that loads more at its end.
    private func show(
        _ pages: Pages<[Person]>, _ reachedEnd: AsyncStream<Void>, _ offerRetry: (any Error) -> Void = { _ in }
    ) async -> [Person] {
        var shown: [Person] = []
        var people = pages.makeAsyncIterator()
        var ticks = reachedEnd.makeAsyncIterator()
        repeat {
            do {
                guard let page = try await people.next() else { break }
                shown += page
            } catch {
                offerRetry(error)
            }
        } while await ticks.next() != nil
        return shown
    }

    @Test func `the guide's sample loads more at the end of a list, and a failed page again`() async throws {
        let (reachedEnd, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(0))
        let requests = Recorder<Int>()
        let gate = Gate()
        let pages = Pages(.pageNumber(size: 1)) { page async throws -> [Person] in
            requests.record(page.index)
            if requests.elements.count == 2 { throw URLError(.networkConnectionLost) }
            if requests.elements.count == 3 { try await gate.pass() }
            return page.index < 2 ? [Person(id: page.index)] : []
        }
        let failures = Recorder<any Error>()
        let showing = Task { await show(pages, reachedEnd) { failures.record($0) } }
        /// Sends ticks until there have been that many requests. A tick that no one awaits is dropped.
        func tick(until count: Int) async throws {
            try await waitUntil {
                if requests.elements.count < count { reader.yield() }
                return requests.elements.count == count
            }
        }
        try await tick(until: 3)
        try await gate.waitForArrivals(1)
        for _ in 1...5 { reader.yield() }
        gate.open()
        try await tick(until: 4)
        reader.finish()
        #expect(await showing.value.map(\.id) == [0, 1])
        #expect(requests.elements == [0, 1, 1, 2])
        #expect(failures.elements.count == 1)
    }
}
