/// An album with photos of a user.
struct Album: Resource, Equatable {
    static let kind = ResourceKind.albums

    var id: Int
    var userId: Int
    var title: String
}
