/// The collections of the API, by the names they have in its paths.
enum ResourceKind: String, CaseIterable {
    case users
    case posts
    case comments
    case todos
    case albums
    case photos

    /// What each of these belongs to; nothing for a user.
    var parent: ResourceKind? {
        switch self {
        case .users: nil
        case .posts, .todos, .albums: .users
        case .comments: .posts
        case .photos: .albums
        }
    }

    /// One of them, such as `user`.
    var singular: String { String(rawValue.dropLast()) }

    /// The field that names the parent of a resource, such as `userId`, when this is the parent.
    var foreignKey: String { "\(singular)Id" }
}

/// A member of one of the API's collections.
protocol Resource: Codable, Sendable, Identifiable<Int> {
    /// The collection it is in.
    static var kind: ResourceKind { get }
}
