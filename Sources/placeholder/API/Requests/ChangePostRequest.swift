import Errand

/// Changes members of a post, and returns the complete post.
final class ChangePostRequest: PlaceholderAPI, Request {
    init(id: Int, _ changes: Post.Changes) {
        super.init()
        method = .patch
        path = "/posts/\(id, as: "id")"
        content = changes
    }

    func start() -> Pipeline<Post, any Error> {
        sendRequest().decode(Post.self)
    }
}
