import Errand

/// Replaces the post with this identifier.
final class ReplacePostRequest: PlaceholderAPI, Request {
    init(_ post: Post) {
        super.init()
        method = .put
        path = "/posts/\(post.id, as: "id")"
        content = post
    }

    func start() -> Pipeline<Post, any Error> {
        sendRequest().decode(Post.self)
    }
}
