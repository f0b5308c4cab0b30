/// An album with photos of a user.
struct Album: Resource, Equatable {
    static let kind = ResourceKind.albums

    var id: Int
    var userId: Int
    var title: String
}

/// A photo in an album.
struct Photo: Resource, Equatable {
    static let kind = ResourceKind.photos

    var id: Int
    var albumId: Int
    var title: String
    var url: String
    var thumbnailUrl: String
}
