import Errand

/// A post of a user.
struct Post: Resource, Equatable {
    static let kind = ResourceKind.posts

    var id: Int
    var userId: Int
    var title: String
    var body: String

    /// A post without an identifier.
    struct Draft: Encodable {
        var userId: Int
        var title: String
        var body: String
    }

    /// Changes of a post; `nil` leaves a member as it is.
    struct Changes: Encodable {
        var title: String?
        var body: String?
    }
}

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

/// A comment on a post.
struct Comment: Resource, Equatable {
    static let kind = ResourceKind.comments

    var id: Int
    var postId: Int
    var name: String
    var email: String
    var body: String
}
