/// What a user has to do, or has done.
struct Todo: Resource, Equatable {
    static let kind = ResourceKind.todos

    var id: Int
    var userId: Int
    var title: String
    var completed: Bool
}
