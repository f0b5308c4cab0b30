import Errand

final class AddPostRequest: PlaceholderAPI, Request {
    struct Draft: Encodable, Sendable {
        var userId: Int
        var title: String
        var body: String
    }

    init(_ draft: Draft) {
        super.init()
        method = .post
        path = "/posts"
        body = .json(draft)
    }

    func start() -> Pipeline<Post, any Error> {
        sendRequest().decode(Post.self)
    }
}
