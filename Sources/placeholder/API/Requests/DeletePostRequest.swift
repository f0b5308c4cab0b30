import Errand

/// Removes a post.
final class DeletePostRequest: PlaceholderAPI, Request {
    init(id: Int) {
        super.init()
        method = .delete
        path = "/posts/\(id, as: "id")"
    }

    func start() -> Pipeline<Void, any Error> {
        sendRequest().map { _ in }
    }
}
