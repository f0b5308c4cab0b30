import Errand

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
