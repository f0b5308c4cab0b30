/// A user's photos of one thing.
struct Album: Resource, Equatable {
    static let kind = ResourceKind.albums

    var id: Int
    var userId: Int
    var title: String
}
