import Errand

/// The collections of the API, with their names in paths.
enum ResourceKind: String, CaseIterable {
    case users
    case posts
    case comments
    case todos
    case albums
    case photos

    /// The collection of the parents; `nil` for users.
    var parent: ResourceKind? {
        switch self {
        case .users: nil
        case .posts, .todos, .albums: .users
        case .comments: .posts
        case .photos: .albums
        }
    }

    /// The singular name, such as `user`.
    var singular: String { String(rawValue.dropLast()) }

    /// The member of a resource that names its parent in this collection, such as `userId`.
    var foreignKey: String { "\(singular)Id" }
}

/// A member of one of the API's collections.
protocol Resource: Codable, Sendable, Identifiable<Int> {
    /// The collection of the member.
    static var kind: ResourceKind { get }
}

/// Lists a collection, or a part of it.
final class ListRequest<Member: Resource>: PlaceholderAPI, Request {
    /// All members, or those that match a query: `/todos?userId=1&completed=false`.
    init(matching query: URLQuery = [:]) {
        super.init()
        path = "/\(Member.kind, as: "kind")"
        self.query = query
    }

    /// The members that belong to another resource: `/posts/1/comments`.
    init<Parent: Resource>(of parent: Parent) {
        super.init()
        path = "/\(Parent.kind, as: "parent")/\(parent.id, as: "id")/\(Member.kind, as: "kind")"
    }

    func start() -> Pipeline<[Member], any Error> {
        sendRequest().decode([Member].self)
    }
}

/// Fetches one member of a collection: `/users/1`.
final class OneRequest<Member: Resource>: PlaceholderAPI, Request {
    init(id: Int) {
        super.init()
        path = "/\(Member.kind, as: "kind")/\(id, as: "id")"
    }

    func start() -> Pipeline<Member, any Error> {
        sendRequest().decode(Member.self)
    }
}

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

/// Sends the same as another request, and decodes the response as JSON of any shape.
final class DocumentRequest: PlaceholderAPI, Request {
    init(like other: PlaceholderAPI) {
        super.init()
        path = other.path
        query = other.query
    }

    func start() -> Pipeline<JSONValue, any Error> {
        sendRequest().decode(JSONValue.self)
    }
}
