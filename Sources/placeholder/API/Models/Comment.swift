/// A comment on a post.
struct Comment: Resource, Equatable {
    static let kind = ResourceKind.comments

    var id: Int
    var postId: Int
    var name: String
    var email: String
    var body: String
}
