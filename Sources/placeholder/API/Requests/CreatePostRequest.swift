import Errand

/// Adds a post, and returns it with its identifier.
final class CreatePostRequest: PlaceholderAPI, Request {
    init(_ draft: Post.Draft) {
        super.init()
        method = .post
        path = "/posts"
        content = draft
    }

    func start() -> Pipeline<Post, any Error> {
        sendRequest().decode(Post.self)
    }
}
