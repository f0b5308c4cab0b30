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
