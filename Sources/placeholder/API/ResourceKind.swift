/// The collections of the API, with their names in paths.
enum ResourceKind: String, CaseIterable {
    case users
    case posts
    case comments
    case todos
    case albums
    case photos

    /// The collection of the parents; `nil` for users.
    var parent: ResourceKind? {
        switch self {
        case .users: nil
        case .posts, .todos, .albums: .users
        case .comments: .posts
        case .photos: .albums
        }
    }

    /// The singular name, such as `user`.
    var singular: String { String(rawValue.dropLast()) }

    /// The member of a resource that names its parent in this collection, such as `userId`.
    var foreignKey: String { "\(singular)Id" }
}

/// A member of one of the API's collections.
protocol Resource: Codable, Sendable, Identifiable<Int> {
    /// The collection of the member.
    static var kind: ResourceKind { get }
}
