/// What a user wrote.
struct Post: Resource, Equatable {
    static let kind = ResourceKind.posts

    var id: Int
    var userId: Int
    var title: String
    var body: String

    /// A post that has no id yet.
    struct Draft: Encodable {
        var userId: Int
        var title: String
        var body: String
    }

    /// What is to be changed about a post; nil leaves it as it is.
    struct Changes: Encodable {
        var title: String?
        var body: String?
    }
}
