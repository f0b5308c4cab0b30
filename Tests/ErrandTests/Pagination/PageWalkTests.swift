import Testing

@testable import Errand

struct `The way through pages` {
    /// Reports each page in turn, and returns the queries that were sent and the end of the walk.
    private func walk(
        _ style: PaginationStyle, limits: PageLimits = PageLimits(), _ reports: PageReport...
    ) -> (queries: [String], end: String) {
        var walk = PageWalk(style, limits: limits)
        var queries: [String] = []
        for report in reports {
            guard case .ask(let position) = walk.step else { return (queries, "more reports than pages") }
            queries.append((try? position.query.percentEncoded()) ?? "")
            do throws(ErrandError) {
                _ = try walk.receive(report)
            } catch {
                return (queries, "throws \(error.code)")
            }
        }
        switch walk.step {
        case .ask: return (queries, walk.mayBeMissing ? "perhaps more" : "more")
        case .end: return (queries, "end")
        case .fail(let error): return (queries, "fails \(error.code)")
        }
    }

    private func page(_ count: Int, _ info: PageInfo = PageInfo(), headers: HeaderFields? = nil) -> PageReport {
        let head = headers.map {
            ResponseHead(
                DataResponse(statusCode: 200, headers: $0, url: URL(string: "https://api.example.com/list?q=1")))
        }
        return PageReport(count: count, info: info, head: head)
    }

    private func page(_ number: Int, of total: Int, size: Int = 10, first: Int = 1) -> PageReport {
        page(
            max(0, min(size, total - (number - first) * size)),
            PageInfo(total: total, page: number, firstPage: first, pageSize: size))
    }

    // The number of the page.

    @Test func `by number ends with a page shorter than those before it`() {
        let walk = walk(.pageNumber(size: 10), page(10), page(10), page(3))
        #expect(walk.queries == ["page=1&per_page=10", "page=2&per_page=10", "page=3&per_page=10"])
        #expect(walk.end == "end")
    }

    @Test func `by number ends with an empty page`() {
        #expect(walk(.pageNumber(size: 10), page(10), page(0)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(0)).end == "end")
        #expect(walk(.pageNumber(size: nil), page(7), page(7), page(0)).end == "end")
    }

    @Test func `by number goes on where the server gives less at once than it was asked for`() {
        #expect(walk(.pageNumber(size: 200), page(100)).end == "more")
        #expect(walk(.pageNumber(size: 200), page(100), page(100)).end == "more")
        #expect(walk(.pageNumber(size: 200), page(100), page(100), page(99)).end == "end")
    }

    @Test func `by number takes no short page for the last where it is told not to`() {
        let style = PaginationStyle.pageNumber(size: 10, endsAtShortPage: false)
        #expect(walk(style, page(10), page(3)).end == "more")
        #expect(walk(style, page(10), page(3), page(0)).end == "end")
    }

    @Test func `by number counts from where the server does, and begins where it is told`() {
        #expect(walk(.pageNumber(size: 5, first: 0), page(5), page(1)).queries.last == "page=1&per_page=5")
        #expect(walk(.pageNumber(size: 5, startingAt: 7), page(5), page(1)).queries.first == "page=7&per_page=5")
    }

    @Test func `by number uses the names it is given`() {
        let style = PaginationStyle.pageNumber(size: 5, pageName: "p", sizeName: "n")
        #expect(walk(style, page(5)).queries == ["p=1&n=5"])
        #expect(walk(.pageNumber(size: nil), page(5)).queries == ["page=1"])
    }

    // An advisory total.

    @Test func `by number ends with a short page that reaches the total`() {
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 25)).end == "more")
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 25), page(3, of: 25)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(1, of: 7)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(1, of: 0)).end == "end")
    }

    @Test func `by number asks once more after a full page that reaches the total, which may be capped`() {
        let walk = walk(.pageNumber(size: 10), page(1, of: 20), page(10, PageInfo(total: 20, page: 2)))
        #expect(walk.end == "perhaps more")
        let onward = self.walk(
            .pageNumber(size: 10), page(10, PageInfo(total: 10)), page(10, PageInfo(total: 10)),
            page(4, PageInfo(total: 10)))
        #expect(onward.queries.count == 3)
        #expect(onward.end == "end")
    }

    @Test func `by number does not end with a short page while the total promises more`() {
        let more = walk(.pageNumber(size: 10), page(10, PageInfo(total: 90)), page(3, PageInfo(total: 90)))
        #expect(more.end == "perhaps more")
        let estimated = walk(
            .pageNumber(size: 10), page(10, PageInfo(total: 90)), page(3, PageInfo(total: 90)),
            page(0, PageInfo(total: 90)))
        #expect(estimated.end == "end")
    }

    @Test func `by number goes on when a row vanishes and the total shrinks`() {
        let walk = walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 24), page(3, of: 24))
        #expect(walk.queries.count == 3)
        #expect(walk.end == "end")
        // The last page itself vanishes.
        let empty = page(0, PageInfo(total: 20, page: 3, pageSize: 10))
        #expect(self.walk(.pageNumber(size: 10), page(1, of: 21), page(2, of: 21), empty).end == "end")
    }

    @Test(arguments: [
        PageInfo(total: -1), PageInfo(total: 10_000), PageInfo(pageSize: 0),
        PageInfo(total: 20, page: 1, pageSize: -10),
    ])
    func `by number accepts an invalid total or page size`(_ info: PageInfo) {
        #expect(walk(.pageNumber(size: 10), page(5, info)).end == "more")
    }

    @Test(arguments: ["", "many", "-1", "12, 12", "99999999999999999999"])
    func `by number ignores a header field that is not a count`(_ value: String) {
        #expect(walk(.pageNumber(size: 10), page(5, headers: ["X-Total-Count": value])).end == "more")
    }

    @Test func `by number takes the first page for the last only when the total is exactly its count`() {
        // The server sends 100 items at most, and estimates the total.
        #expect(walk(.pageNumber(size: 200), page(100, PageInfo(total: 90))).end == "perhaps more")
        #expect(walk(.pageNumber(size: 200), page(100, PageInfo(total: 100))).end == "end")
        #expect(walk(.pageNumber(size: nil), page(100, PageInfo(total: 100))).end == "perhaps more")
    }

    // A strict total.

    private func strict(size: Int?, first: Int = 1, startingAt: Int? = nil) -> PaginationStyle {
        .pageNumber(size: size, first: first, startingAt: startingAt, totals: .strict)
    }

    @Test func `by number ends with the page that reaches a strict total`() {
        #expect(walk(strict(size: 10), page(1, of: 20), page(2, of: 20)).end == "end")
        #expect(walk(strict(size: 10), page(1, of: 21), page(2, of: 21)).end == "more")
        #expect(walk(strict(size: 10), page(1, of: 0)).end == "end")
        #expect(walk(strict(size: 10, first: 0), page(0, of: 20, first: 0), page(1, of: 20, first: 0)).end == "end")
    }

    @Test func `by number ends at a strict total although the last page states a smaller size`() {
        let last = page(5, PageInfo(total: 15, page: 2, pageSize: 5))
        #expect(walk(strict(size: 10), page(1, of: 15), last).end == "end")
    }

    @Test func `by number believes a page that says whether there is more`() {
        #expect(walk(.pageNumber(size: 10), page(10, PageInfo(next: .last))).end == "end")
        #expect(walk(.pageNumber(size: 10), page(10), page(2, PageInfo(next: .more))).end == "more")
    }

    @Test func `by number reads the total from a header field`() {
        let headers: HeaderFields = ["x-total-count": "20"]
        #expect(walk(strict(size: 10), page(10, headers: headers)).end == "more")
        #expect(walk(strict(size: 10), page(10, headers: headers), page(10, headers: headers)).end == "end")
        #expect(walk(strict(size: 20), page(10, headers: headers), page(4, headers: headers)).end == "end")
        let other = PaginationStyle.pageNumber(size: 10, totalField: nil)
        #expect(walk(other, page(10, headers: ["X-Total-Count": "x"])).end == "more")
    }

    @Test func `by number ends at a total that counts items which are not shown`() {
        let headers: HeaderFields = ["X-Total-Count": "20"]
        for style in [strict(size: 10), .pageNumber(size: 10)] {
            #expect(walk(style, page(10, headers: headers), page(9, headers: headers)).end == "end")
        }
    }

    @Test func `by number ends at the total also when it began in the middle`() {
        let headers: HeaderFields = ["X-Total-Count": "25"]
        for style in [strict(size: 10, startingAt: 2), .pageNumber(size: 10, startingAt: 2)] {
            #expect(walk(style, page(10, headers: headers), page(5, headers: headers)).end == "end")
        }
    }

    @Test(arguments: [
        (1, PageInfo(page: 0)), (1, PageInfo(page: 2)), (1, PageInfo(page: .min)),
        (0, PageInfo(total: 0, page: 2, pageSize: 10)),
    ])
    func `by number refuses a page that was not requested`(_ count: Int, _ info: PageInfo) {
        #expect(walk(.pageNumber(size: 10), page(count, info)).end == "throws invalidPagination")
        #expect(walk(strict(size: 10), page(count, info)).end == "throws invalidPagination")
    }

    @Test(arguments: [
        (1, PageInfo(total: -1)), (1, PageInfo(pageSize: 0)), (5, PageInfo(total: 4)),
        (1, PageInfo(total: 20, page: 1, pageSize: -10)),
    ])
    func `by number refuses invalid numbers when the total is strict`(_ count: Int, _ info: PageInfo) {
        #expect(walk(strict(size: 10), page(count, info)).end == "throws invalidPagination")
    }

    @Test(arguments: ["", "many", "-1", "12, 12", "99999999999999999999"])
    func `by number refuses a header field that is not a count when the total is strict`(_ value: String) {
        let report = page(1, headers: ["X-Total-Count": value])
        #expect(walk(strict(size: 10), report).end == "throws invalidPagination")
    }

    @Test func `by number refuses a strict total that shrinks, and accepts one that grows`() {
        #expect(walk(strict(size: 10), page(1, of: 25), page(2, of: 24)).end == "throws invalidPagination")
        #expect(walk(strict(size: 10), page(1, of: 25), page(2, of: 26)).end == "more")
    }

    @Test func `by number is a loop where the server gives a page that was there`() {
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(1, of: 25)).end == "throws paginationLoop")
        let repeated = PageReport(count: 10, fingerprint: .init(items: 7))
        #expect(walk(.pageNumber(size: 10), repeated, repeated).end == "throws paginationLoop")
        let (one, other) = (
            PageReport(count: 10, fingerprint: .init(items: 1)), PageReport(count: 10, fingerprint: .init(items: 2))
        )
        #expect(walk(.pageNumber(size: 10), one, other, one).end == "throws paginationLoop")
        #expect(walk(.pageNumber(size: 10), limits: PageLimits(allowsEqualPages: true), one, one).end == "more")
    }

    @Test func `by number cannot count for ever`() {
        let style = PaginationStyle.pageNumber(size: 1, first: .max)
        #expect(walk(style, page(1)).end == "throws invalidPagination")
    }

    // The offset of the first item.

    @Test func `by offset goes behind the items that have come`() {
        let walk = walk(.offset(limit: 10), page(10), page(10), page(2))
        #expect(walk.queries == ["offset=0&limit=10", "offset=10&limit=10", "offset=20&limit=10"])
        #expect(walk.end == "end")
        #expect(self.walk(.offset(limit: 100), page(30), page(30)).queries.last == "offset=30&limit=100")
    }

    @Test func `by offset ends at a strict total, counted from where the server does`() {
        let style = PaginationStyle.offset(
            limit: 10, first: 1, offsetName: "start", limitName: "count", totals: .strict)
        let info = PageInfo(total: 20)
        let walk = walk(style, page(10, info), page(10, info))
        #expect(walk.queries == ["start=1&count=10", "start=11&count=10"])
        #expect(walk.end == "end")
        #expect(self.walk(.offset(limit: 10, startingAt: 10, totals: .strict), page(10, info)).end == "end")
    }

    @Test func `by offset asks once more at an advisory total, and ends with an empty page`() {
        let info = PageInfo(total: 20)
        #expect(walk(.offset(limit: 10), page(10, info), page(10, info)).end == "perhaps more")
        #expect(walk(.offset(limit: 10), page(10, info), page(0, info)).end == "end")
        #expect(walk(.offset(limit: 10), page(10, info), page(9, PageInfo(total: 19))).end == "end")
    }

    @Test func `by offset is a loop where an empty page promises more`() {
        let strict = PaginationStyle.offset(limit: 10, totals: .strict)
        #expect(walk(strict, page(10, PageInfo(total: 20)), page(0)).end == "throws paginationLoop")
        #expect(walk(.offset(limit: 10), page(0, PageInfo(next: .more))).end == "throws paginationLoop")
    }

    @Test func `by offset cannot count for ever`() {
        #expect(walk(.offset(limit: 1, startingAt: .max), page(1)).end == "throws invalidPagination")
    }

    // Cursors.

    private func cursor(_ next: String?, _ count: Int = 1) -> PageReport {
        page(count, PageInfo(next: next.map { .cursor($0) } ?? .last))
    }

    @Test func `by cursor asks with what the page before said`() {
        let walk = walk(.cursor(limit: 5), cursor("a"), cursor("b"), cursor(nil))
        #expect(walk.queries == ["limit=5", "cursor=a&limit=5", "cursor=b&limit=5"])
        #expect(walk.end == "end")
        let style = PaginationStyle.cursor(startingAt: "s", cursorName: "after")
        #expect(self.walk(style, cursor("a"), cursor("b")).queries == ["after=s", "after=a"])
    }

    @Test func `by cursor and by link ignore totals`() {
        let first = page(10, PageInfo(total: 5, next: .cursor("a")))
        #expect(walk(.cursor(), first, page(10, PageInfo(total: -1, next: .cursor("b")))).end == "more")
        let linked = page(10, PageInfo(total: 5), headers: ["Link": "<?q=2>; rel=next", "X-Total-Count": "x"])
        #expect(walk(.link(), linked).end == "more")
    }

    @Test func `by cursor reads a header field where it is told to`() {
        let style = PaginationStyle.cursor(nextField: "X-Next")
        #expect(walk(style, page(1, headers: ["x-next": "a"]), page(1, headers: [:])).queries == ["", "cursor=a"])
        #expect(walk(style, page(1, headers: ["X-Next": ""])).end == "end")
        #expect(walk(style, page(1)).end == "throws invalidPagination")
    }

    @Test func `by cursor refuses a page that cannot know the next`() {
        #expect(walk(.cursor(), page(1)).end == "throws invalidPagination")
        #expect(walk(.cursor(), page(1, PageInfo(next: .more))).end == "throws invalidPagination")
    }

    @Test func `by cursor is a loop when a cursor comes again, behind the page that said it`() {
        #expect(walk(.cursor(), cursor("a"), cursor("a")).end == "fails paginationLoop")
        #expect(walk(.cursor(), cursor("a"), cursor("b"), cursor("a")).end == "fails paginationLoop")
        #expect(walk(.cursor(startingAt: "s"), cursor("s")).end == "fails paginationLoop")
        #expect(walk(.cursor(), cursor("a"), cursor("a", 0)).end == "throws paginationLoop")
    }

    @Test func `by cursor is a loop when too many pages in a row have no items`() {
        let limits = PageLimits(emptyPagesInARow: 2)
        #expect(walk(.cursor(), limits: limits, cursor("a", 0), cursor("b", 0)).end == "more")
        #expect(
            walk(.cursor(), limits: limits, cursor("a", 0), cursor("b", 0), cursor("c", 0)).end
                == "throws paginationLoop")
        #expect(
            walk(.cursor(), limits: limits, cursor("a", 0), cursor("b", 0), cursor("c"), cursor("d", 0)).end == "more")
    }

    // Links.

    private func linked(_ link: String?, _ count: Int = 1) -> PageReport {
        page(count, headers: link.map { ["Link": "<\($0)>; rel=next"] } ?? [:])
    }

    private func place(behind report: PageReport, _ style: PaginationStyle = .link()) -> String? {
        var walk = PageWalk(style)
        guard (try? walk.receive(report)) == true, case .ask(let position) = walk.step else { return nil }
        return position.url?.absoluteString
    }

    @Test func `by link goes where the answer says`() {
        #expect(place(behind: linked("?q=2")) == "https://api.example.com/list?q=2")
        #expect(place(behind: linked("https://API.example.com:443/x")) == "https://API.example.com:443/x")
        #expect(walk(.link(size: 5), linked("?q=2"), linked(nil)).queries == ["per_page=5", ""])
        #expect(walk(.link(), linked("?q=2"), linked(nil)).end == "end")
    }

    @Test(arguments: [
        "https://evil.example/", "http://api.example.com/", "https://api.example.com:8443/", "//evil.example/x",
        "ftp://api.example.com/", "javascript:alert(1)", "http://[", "https://api.example.com.evil.example/",
        "https://api.example.com@evil.example/",
    ])
    func `by link goes to no other origin`(_ target: String) {
        #expect(walk(.link(), linked(target)).end == "throws invalidPagination")
    }

    @Test func `by link goes to another origin that is trusted, and only there`() throws {
        let style = PaginationStyle.link(trustedOrigins: [try #require(URL(string: "https://b.example/any?x"))])
        #expect(place(behind: linked("https://b.example/2"), style) == "https://b.example/2")
        #expect(place(behind: linked("/2"), style) == "https://api.example.com/2")
        #expect(walk(style, linked("http://b.example/2")).end == "throws invalidPagination")
    }

    @Test func `by link is a loop when a link comes again`() {
        #expect(walk(.link(), linked("?q=2"), linked("?q=2")).end == "fails paginationLoop")
        #expect(walk(.link(), linked("?q=2"), linked("#other", 0)).end == "throws paginationLoop")
        #expect(walk(.link(), linked("#other")).end == "fails paginationLoop")
        #expect(walk(.link(), linked("?q=2"), linked("?q=3"), linked("?q=2#x")).end == "fails paginationLoop")
    }

    @Test func `by link needs a head`() {
        #expect(walk(.link(), page(1)).end == "throws invalidPagination")
    }

    // All styles.

    @Test(arguments: [
        PaginationStyle.pageNumber(size: 0), .pageNumber(size: -1), .pageNumber(size: 1, first: -1),
        .pageNumber(size: 1, startingAt: 0), .pageNumber(size: 1, pageName: ""), .offset(limit: 0),
        .offset(limit: 1, first: 1, startingAt: 0), .cursor(limit: 0), .link(size: 0),
        .cursor(cursorName: "limit"),
    ])
    func `does not begin with nonsense`(_ style: PaginationStyle) {
        #expect(walk(style).end == "fails invalidPagination")
    }

    @Test(arguments: [PageLimits(pages: 0), PageLimits(pages: -1), PageLimits(emptyPagesInARow: -1)])
    func `does not begin with limits that leave no room`(_ limits: PageLimits) {
        #expect(walk(.pageNumber(size: 1), limits: limits).end == "fails invalidPagination")
    }

    @Test func `fails behind the last page that is allowed, but not when that is the last`() {
        let limits = PageLimits(pages: 2)
        #expect(walk(.pageNumber(size: 10), limits: limits, page(10), page(10)).end == "fails tooManyPages")
        #expect(walk(.pageNumber(size: 10), limits: limits, page(10), page(9)).end == "end")
    }

    @Test func `stays where it was when a page makes no sense`() throws {
        var walk = PageWalk(strict(size: 10))
        let isPage = try walk.receive(page(1, of: 25))
        #expect(isPage)
        #expect(throws: ErrandError.self) { try walk.receive(page(2, of: 24)) }
        guard case .ask(let position) = walk.step else {
            Issue.record("it moved")
            return
        }
        #expect(position.number == 2)
        #expect(position.index == 1)
        #expect(walk.tally.received == 10)
        #expect(walk.tally.total == 25)
    }

    @Test func `takes a page that made no sense when it comes again and does`() throws {
        var walk = PageWalk(.cursor(limit: 5))
        let unsaid = PageReport(count: 5, fingerprint: .init(items: 7))
        #expect(throws: ErrandError.self) { try walk.receive(unsaid) }
        let isPage = try walk.receive(PageReport(count: 5, info: PageInfo(next: .last), fingerprint: .init(items: 7)))
        #expect(isPage)
        #expect(walk.tally.received == 5)
    }

    @Test func `keeps going for as many pages as it may`() throws {
        var walk = PageWalk(.pageNumber(size: 1))
        for number in 1...10_000 { _ = try walk.receive(PageReport(count: 1, fingerprint: .init(items: number))) }
        guard case .fail(let error) = walk.step else {
            Issue.record("it goes on")
            return
        }
        #expect(error.code == .tooManyPages)
    }

    @Test func `hands out an empty page only when it is the first`() throws {
        var empty = PageWalk(.pageNumber(size: 10))
        let isFirstPage = try empty.receive(page(0))
        var full = PageWalk(.pageNumber(size: 10))
        let isPage = try full.receive(page(10))
        let isEmptyPage = try full.receive(page(0))
        #expect([isFirstPage, isPage, isEmptyPage] == [true, true, false])
    }

    @Test func `tells with an error what the answer was, and no secret of it`() throws {
        var walk = PageWalk(.link())
        let report = page(1, headers: ["Link": "<https://evil.example/?token=secret>; rel=next"])
        let error = #expect(throws: ErrandError.self) { try walk.receive(report) }
        #expect(error?.statusCode == 200)
        #expect(error?.headers["link"] != nil)
        let text = String(describing: error)
        #expect(text.contains("https://api.example.com/list?q=***"))
        #expect(!text.contains("secret") && !text.contains("evil"))
    }
}
