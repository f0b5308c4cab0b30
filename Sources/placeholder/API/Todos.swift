/// A task of a user.
struct Todo: Resource, Equatable {
    static let kind = ResourceKind.todos

    var id: Int
    var userId: Int
    var title: String
    var completed: Bool
}
