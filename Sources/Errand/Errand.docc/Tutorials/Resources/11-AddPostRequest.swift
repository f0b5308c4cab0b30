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

    func start() -> Pipeline<Post, BulletinError> {
        sendRequest().decode(Post.self).mapError { BulletinError($0) }
    }
}
