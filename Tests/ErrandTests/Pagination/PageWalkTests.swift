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
            guard case .request(let position) = walk.step else { return (queries, "more reports than pages") }
            queries.append((try? position.query.percentEncoded()) ?? "")
            do throws(ErrandError) {
                _ = try walk.receive(report)
            } catch {
                return (queries, "throws \(error.code)")
            }
        }
        switch walk.step {
        case .request: return (queries, "more")
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

    // Page numbers.

    @Test func `page numbers end at a page shorter than the previous ones`() {
        let walk = walk(.pageNumber(size: 10), page(10), page(10), page(3))
        #expect(walk.queries == ["page=1&per_page=10", "page=2&per_page=10", "page=3&per_page=10"])
        #expect(walk.end == "end")
    }

    @Test func `page numbers end at an empty page`() {
        #expect(walk(.pageNumber(size: 10), page(10), page(0)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(0)).end == "end")
        #expect(walk(.pageNumber(size: nil), page(7), page(7), page(0)).end == "end")
    }

    @Test func `page numbers continue if the server sends fewer items than requested`() {
        #expect(walk(.pageNumber(size: 200), page(100)).end == "more")
        #expect(walk(.pageNumber(size: 200), page(100), page(100)).end == "more")
        #expect(walk(.pageNumber(size: 200), page(100), page(100), page(99)).end == "end")
    }

    @Test func `page numbers can be configured to continue after a short page`() {
        let style = PaginationStyle.pageNumber(size: 10, endsAtShortPage: false)
        #expect(walk(style, page(10), page(3)).end == "more")
        #expect(walk(style, page(10), page(3), page(0)).end == "end")
    }

    @Test func `page numbers start at the configured first page`() {
        #expect(walk(.pageNumber(size: 5, first: 0), page(5), page(1)).queries.last == "page=1&per_page=5")
        #expect(walk(.pageNumber(size: 5, startingAt: 7), page(5), page(1)).queries.first == "page=7&per_page=5")
    }

    @Test func `page numbers use the configured parameter names`() {
        let style = PaginationStyle.pageNumber(size: 5, pageName: "p", sizeName: "n")
        #expect(walk(style, page(5)).queries == ["p=1&n=5"])
        #expect(walk(.pageNumber(size: nil), page(5)).queries == ["page=1"])
    }

    // Totals.

    @Test func `page numbers end at a short page that reaches the total`() {
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 25)).end == "more")
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 25), page(3, of: 25)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(1, of: 7)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(1, of: 0)).end == "end")
    }

    @Test func `page numbers continue after a short page if the total is larger`() {
        let more = walk(.pageNumber(size: 10), page(10, PageInfo(total: 90)), page(3, PageInfo(total: 90)))
        #expect(more.end == "more")
        let estimated = walk(
            .pageNumber(size: 10), page(10, PageInfo(total: 90)), page(3, PageInfo(total: 90)),
            page(0, PageInfo(total: 90)))
        #expect(estimated.end == "end")
    }

    @Test func `page numbers continue if an item is removed and the total shrinks`() {
        let walk = walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 24), page(3, of: 24))
        #expect(walk.queries.count == 3)
        #expect(walk.end == "end")
        // The last page disappears.
        let empty = page(0, PageInfo(total: 20, page: 3, pageSize: 10))
        #expect(self.walk(.pageNumber(size: 10), page(1, of: 21), page(2, of: 21), empty).end == "end")
    }

    @Test(arguments: [
        PageInfo(total: -1), PageInfo(total: 10_000), PageInfo(pageSize: 0),
        PageInfo(total: 20, page: 1, pageSize: -10),
    ])
    func `page numbers ignore an invalid total or page size`(_ info: PageInfo) {
        #expect(walk(.pageNumber(size: 10), page(5, info)).end == "more")
    }

    @Test(arguments: ["", "many", "-1", "12, 12", "99999999999999999999"])
    func `page numbers ignore a total field that is not a count`(_ value: String) {
        #expect(walk(.pageNumber(size: 10), page(5, headers: ["X-Total-Count": value])).end == "more")
    }

    @Test func `page numbers ignore a total below the number of received items`() {
        #expect(walk(.pageNumber(size: 200), page(100, PageInfo(total: 90))).end == "more")
        #expect(walk(.pageNumber(size: 10), page(10, PageInfo(total: 5)), page(4, PageInfo(total: 5))).end == "end")
    }

    @Test func `page numbers end at the first page if it reaches the total`() {
        #expect(walk(.pageNumber(size: 200), page(100, PageInfo(total: 100))).end == "end")
        #expect(walk(.pageNumber(size: nil), page(100, PageInfo(total: 100))).end == "end")
    }

    @Test func `page numbers end at the page that reaches the total`() {
        #expect(walk(.pageNumber(size: 10), page(1, of: 20), page(2, of: 20)).end == "end")
        #expect(walk(.pageNumber(size: 10), page(1, of: 21), page(2, of: 21)).end == "more")
        #expect(walk(.pageNumber(size: 10), page(1, of: 0)).end == "end")
        #expect(
            walk(.pageNumber(size: 10, first: 0), page(0, of: 20, first: 0), page(1, of: 20, first: 0)).end == "end")
    }

    @Test func `page numbers end at the total even if the last page has a smaller size`() {
        let last = page(5, PageInfo(total: 15, page: 2, pageSize: 5))
        #expect(walk(.pageNumber(size: 10), page(1, of: 15), last).end == "end")
    }

    @Test func `page numbers trust a page that reports whether there is more`() {
        #expect(walk(.pageNumber(size: 10), page(10, PageInfo(next: .last))).end == "end")
        #expect(walk(.pageNumber(size: 10), page(10), page(2, PageInfo(next: .more))).end == "more")
    }

    @Test func `page numbers read the total from a header field`() {
        let headers: HeaderFields = ["x-total-count": "20"]
        #expect(walk(.pageNumber(size: 10), page(10, headers: headers)).end == "more")
        #expect(walk(.pageNumber(size: 10), page(10, headers: headers), page(10, headers: headers)).end == "end")
        #expect(walk(.pageNumber(size: 20), page(10, headers: headers), page(4, headers: headers)).end == "end")
        let other = PaginationStyle.pageNumber(size: 10, totalField: nil)
        #expect(walk(other, page(10, headers: ["X-Total-Count": "x"])).end == "more")
    }

    @Test func `page numbers end at a total that includes hidden items`() {
        let headers: HeaderFields = ["X-Total-Count": "20"]
        #expect(walk(.pageNumber(size: 10), page(10, headers: headers), page(9, headers: headers)).end == "end")
    }

    @Test func `page numbers that start in the middle end at the total`() {
        let headers: HeaderFields = ["X-Total-Count": "25"]
        let style = PaginationStyle.pageNumber(size: 10, startingAt: 2)
        #expect(walk(style, page(10, headers: headers), page(5, headers: headers)).end == "end")
    }

    @Test(arguments: [
        (1, PageInfo(page: 0)), (1, PageInfo(page: 2)), (1, PageInfo(page: .min)),
        (0, PageInfo(total: 0, page: 2, pageSize: 10)),
    ])
    func `page numbers reject a page that was not requested`(_ count: Int, _ info: PageInfo) {
        #expect(walk(.pageNumber(size: 10), page(count, info)).end == "throws invalidPagination")
    }

    @Test func `page numbers accept a total that changes between two pages`() {
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 24)).end == "more")
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 26)).end == "more")
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(2, of: 20)).end == "end")
    }

    @Test func `page numbers fail with a loop if the server repeats a page`() {
        #expect(walk(.pageNumber(size: 10), page(1, of: 25), page(1, of: 25)).end == "throws paginationLoop")
        let repeated = PageReport(count: 10, fingerprint: .init(items: 7))
        #expect(walk(.pageNumber(size: 10), repeated, repeated).end == "throws paginationLoop")
        let (one, other) = (
            PageReport(count: 10, fingerprint: .init(items: 1)), PageReport(count: 10, fingerprint: .init(items: 2))
        )
        #expect(walk(.pageNumber(size: 10), one, other, one).end == "throws paginationLoop")
        #expect(walk(.pageNumber(size: 10), limits: PageLimits(allowsEqualPages: true), one, one).end == "more")
    }

    @Test func `page numbers fail before they overflow`() {
        let style = PaginationStyle.pageNumber(size: 1, first: .max)
        #expect(walk(style, page(1)).end == "throws invalidPagination")
    }

    // Offsets.

    @Test func `an offset advances by the number of received items`() {
        let walk = walk(.offset(limit: 10), page(10), page(10), page(2))
        #expect(walk.queries == ["offset=0&limit=10", "offset=10&limit=10", "offset=20&limit=10"])
        #expect(walk.end == "end")
        #expect(self.walk(.offset(limit: 100), page(30), page(30)).queries.last == "offset=30&limit=100")
    }

    @Test func `offsets end at the total, counted from the configured first offset`() {
        let style = PaginationStyle.offset(limit: 10, first: 1, offsetName: "start", limitName: "count")
        let info = PageInfo(total: 20)
        let walk = walk(style, page(10, info), page(10, info))
        #expect(walk.queries == ["start=1&count=10", "start=11&count=10"])
        #expect(walk.end == "end")
        #expect(self.walk(.offset(limit: 10, startingAt: 10), page(10, info)).end == "end")
    }

    @Test func `offsets end at an empty page before the total`() {
        let info = PageInfo(total: 20)
        #expect(walk(.offset(limit: 10), page(10, info), page(0, info)).end == "end")
        #expect(walk(.offset(limit: 10), page(10, info), page(9, info)).end == "more")
        #expect(walk(.offset(limit: 10), page(10, info), page(9, PageInfo(total: 19))).end == "end")
    }

    @Test func `offsets fail with a loop if an empty page announces more`() {
        #expect(walk(.offset(limit: 10), page(0, PageInfo(next: .more))).end == "throws paginationLoop")
    }

    @Test func `offsets fail before they overflow`() {
        #expect(walk(.offset(limit: 1, startingAt: .max), page(1)).end == "throws invalidPagination")
    }

    // Cursors.

    private func cursor(_ next: String?, _ count: Int = 1) -> PageReport {
        page(count, PageInfo(next: next.map { .cursor($0) } ?? .last))
    }

    @Test func `a cursor from one page is sent in the next request`() {
        let walk = walk(.cursor(limit: 5), cursor("a"), cursor("b"), cursor(nil))
        #expect(walk.queries == ["limit=5", "cursor=a&limit=5", "cursor=b&limit=5"])
        #expect(walk.end == "end")
        #expect(self.walk(.cursor(), cursor("a"), cursor("")).end == "end")
        let style = PaginationStyle.cursor(startingAt: "s", cursorName: "after")
        #expect(self.walk(style, cursor("a"), cursor("b")).queries == ["after=s", "after=a"])
    }

    @Test func `cursor and link pagination ignore totals`() {
        let first = page(10, PageInfo(total: 5, next: .cursor("a")))
        #expect(walk(.cursor(), first, page(10, PageInfo(total: -1, next: .cursor("b")))).end == "more")
        let linked = page(10, PageInfo(total: 5), headers: ["Link": "<?q=2>; rel=next", "X-Total-Count": "x"])
        #expect(walk(.link(), linked).end == "more")
    }

    @Test func `the size of link pagination can have any name`() {
        #expect(walk(.link(size: 50, sizeName: "link"), page(1, headers: [:])).queries == ["link=50"])
        #expect(walk(.link(size: 50, sizeName: "")).end == "fails invalidPagination")
    }

    @Test func `a cursor can be read from a header field`() {
        let style = PaginationStyle.cursor(nextField: "X-Next")
        #expect(walk(style, page(1, headers: ["x-next": "a"]), page(1, headers: [:])).queries == ["", "cursor=a"])
        #expect(walk(style, page(1, headers: ["X-Next": ""])).end == "end")
        #expect(walk(style, page(1)).end == "throws invalidPagination")
    }

    @Test func `cursor pagination rejects a page without information about the next`() {
        #expect(walk(.cursor(), page(1)).end == "throws invalidPagination")
        #expect(walk(.cursor(), page(1, PageInfo(next: .more))).end == "throws invalidPagination")
    }

    @Test func `cursor pagination fails with a loop after a page whose cursor was used before`() {
        #expect(walk(.cursor(), cursor("a"), cursor("a")).end == "fails paginationLoop")
        #expect(walk(.cursor(), cursor("a"), cursor("b"), cursor("a")).end == "fails paginationLoop")
        #expect(walk(.cursor(startingAt: "s"), cursor("s")).end == "fails paginationLoop")
        #expect(walk(.cursor(), cursor("a"), cursor("a", 0)).end == "throws paginationLoop")
    }

    @Test func `cursor pagination fails with a loop after too many empty pages in a row`() {
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

    private func place(after report: PageReport, _ style: PaginationStyle = .link()) -> String? {
        var walk = PageWalk(style)
        guard (try? walk.receive(report)) == true, case .request(let position) = walk.step else { return nil }
        return position.url?.absoluteString
    }

    @Test func `link pagination follows the link of the response`() {
        #expect(place(after: linked("?q=2")) == "https://api.example.com/list?q=2")
        #expect(place(after: linked("https://API.example.com:443/x")) == "https://API.example.com:443/x")
        #expect(walk(.link(size: 5), linked("?q=2"), linked(nil)).queries == ["per_page=5", ""])
        #expect(walk(.link(), linked("?q=2"), linked(nil)).end == "end")
    }

    @Test(arguments: [
        "https://evil.example/", "http://api.example.com/", "https://api.example.com:8443/", "//evil.example/x",
        "ftp://api.example.com/", "javascript:alert(1)", "http://[", "https://api.example.com.evil.example/",
        "https://api.example.com@evil.example/",
    ])
    func `link pagination rejects links to another origin`(_ target: String) {
        #expect(walk(.link(), linked(target)).end == "throws invalidPagination")
    }

    @Test func `link pagination can follow a field whose value is the URL`() throws {
        let style = PaginationStyle.link(
            field: "Next-Page", trustedOrigins: [try #require(URL(string: "https://b.example"))])
        func next(_ target: String) -> PageReport {
            page(1, headers: ["Next-Page": target, "Link": "<?q=9>; rel=next"])
        }
        #expect(
            place(after: next("https://api.example.com/list?page=2"), style) == "https://api.example.com/list?page=2")
        #expect(place(after: next("?page=2#top"), style) == "https://api.example.com/list?page=2")
        #expect(place(after: next("https://b.example/2"), style) == "https://b.example/2")
        #expect(walk(style, next("https://c.example/2")).end == "throws invalidPagination")
        #expect(walk(style, next("ftp://api.example.com/2")).end == "throws invalidPagination")
        #expect(walk(style, next("")).end == "end")
        #expect(walk(style, linked("?q=2")).end == "end")
        #expect(walk(.link(field: "Next-Page", size: 5), next("?page=2"), next("")).queries == ["per_page=5", ""])
    }

    @Test func `link pagination follows links only to trusted other origins`() throws {
        let style = PaginationStyle.link(trustedOrigins: [try #require(URL(string: "https://b.example/any?x"))])
        #expect(place(after: linked("https://b.example/2"), style) == "https://b.example/2")
        #expect(place(after: linked("/2"), style) == "https://api.example.com/2")
        #expect(walk(style, linked("http://b.example/2")).end == "throws invalidPagination")
    }

    @Test func `link pagination fails with a loop if a link repeats`() {
        #expect(walk(.link(), linked("?q=2"), linked("?q=2")).end == "fails paginationLoop")
        #expect(walk(.link(), linked("?q=2"), linked("#other", 0)).end == "throws paginationLoop")
        #expect(walk(.link(), linked("#other")).end == "fails paginationLoop")
        #expect(walk(.link(), linked("?q=2"), linked("?q=3"), linked("?q=2#x")).end == "fails paginationLoop")
    }

    @Test func `link pagination requires the response head`() {
        #expect(walk(.link(), page(1)).end == "throws invalidPagination")
    }

    // All styles.

    @Test(arguments: [
        PaginationStyle.pageNumber(size: 0), .pageNumber(size: -1), .pageNumber(size: 1, first: -1),
        .pageNumber(size: 1, startingAt: 0), .pageNumber(size: 1, pageName: ""), .offset(limit: 0),
        .offset(limit: 1, first: 1, startingAt: 0), .cursor(limit: 0), .link(size: 0),
        .cursor(cursorName: "limit"),
    ])
    func `an invalid pagination style fails before the first request`(_ style: PaginationStyle) {
        #expect(walk(style).end == "fails invalidPagination")
    }

    @Test(arguments: [PageLimits(pages: 0), PageLimits(pages: -1), PageLimits(emptyPagesInARow: -1)])
    func `page limits of zero or less fail before the first request`(_ limits: PageLimits) {
        #expect(walk(.pageNumber(size: 1), limits: limits).end == "fails invalidPagination")
    }

    @Test func `pagination fails after the maximum number of pages unless that page is the last`() {
        let limits = PageLimits(pages: 2)
        #expect(walk(.pageNumber(size: 10), limits: limits, page(10), page(10)).end == "fails tooManyPages")
        #expect(walk(.pageNumber(size: 10), limits: limits, page(10), page(9)).end == "end")
    }

    @Test func `a rejected page does not change the position`() throws {
        var walk = PageWalk(.pageNumber(size: 10))
        let isPage = try walk.receive(page(1, of: 25))
        #expect(isPage)
        #expect(throws: ErrandError.self) { try walk.receive(page(3, of: 24)) }
        guard case .request(let position) = walk.step else {
            Issue.record("the walk has no next request")
            return
        }
        #expect(position.number == 2)
        #expect(position.index == 1)
        #expect(walk.tally.received == 10)
        #expect(walk.tally.total == 25)
    }

    @Test func `a page that was rejected is accepted when it arrives again and is valid`() throws {
        var walk = PageWalk(.cursor(limit: 5))
        let unknown = PageReport(count: 5, fingerprint: .init(items: 7))
        #expect(throws: ErrandError.self) { try walk.receive(unknown) }
        let isPage = try walk.receive(PageReport(count: 5, info: PageInfo(next: .last), fingerprint: .init(items: 7)))
        #expect(isPage)
        #expect(walk.tally.received == 5)
    }

    @Test func `pagination continues up to the default maximum number of pages`() throws {
        var walk = PageWalk(.pageNumber(size: 1))
        for number in 1...10_000 { _ = try walk.receive(PageReport(count: 1, fingerprint: .init(items: number))) }
        guard case .fail(let error) = walk.step else {
            Issue.record("the walk did not fail")
            return
        }
        #expect(error.code == .tooManyPages)
    }

    @Test func `an empty page is delivered only if it is the first`() throws {
        var empty = PageWalk(.pageNumber(size: 10))
        let isFirstPage = try empty.receive(page(0))
        var full = PageWalk(.pageNumber(size: 10))
        let isPage = try full.receive(page(10))
        let isEmptyPage = try full.receive(page(0))
        #expect([isFirstPage, isPage, isEmptyPage] == [true, true, false])
    }

    @Test func `a pagination error has the response and shows no secret`() throws {
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
