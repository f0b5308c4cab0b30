import Errand

/// Changes some of a post, and gives all of it back.
final class ChangePostRequest: PlaceholderAPI, Request {
    init(id: Int, _ changes: Post.Changes) {
        super.init()
        method = .patch
        path = "/posts/\(id)"
        content = changes
    }

    func start() -> Pipeline<Post, any Error> {
        sendRequest().decode(Post.self)
    }
}
