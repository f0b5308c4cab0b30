import Errand

/// Lists one page of a collection: `/posts?_page=2&_limit=10`.
final class PageRequest<Member: Resource>: PlaceholderAPI, Request {
    init(_ page: PagePosition) {
        super.init()
        path = "/\(Member.kind, as: "kind")"
        pagePosition = page
    }

    func start() -> Pipeline<ListPage<Member>, any Error> {
        sendRequest().tryMap { response in
            ListPage(
                members: try response.decode([Member].self),
                total: response.headers["X-Total-Count"].flatMap(Int.init))
        }
    }
}

/// A page of a collection, with the total number of members if the server reports it.
struct ListPage<Member: Resource>: PageContent {
    var members: [Member]
    var total: Int?

    var pageItems: [Member] { members }
    var pageInfo: PageInfo { PageInfo(total: total) }
}
