import Errand

/// Puts a post in the place of the one that has its id.
final class ReplacePostRequest: PlaceholderAPI, Request {
    init(_ post: Post) {
        super.init()
        method = .put
        path = "/posts/\(post.id)"
        content = post
    }

    func start() -> Pipeline<Post, any Error> {
        sendRequest().decode(Post.self)
    }
}
