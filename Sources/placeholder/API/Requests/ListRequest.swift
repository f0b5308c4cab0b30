import Errand

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
