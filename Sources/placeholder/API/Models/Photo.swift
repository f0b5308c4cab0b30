/// A photo in an album.
struct Photo: Resource, Equatable {
    static let kind = ResourceKind.photos

    var id: Int
    var albumId: Int
    var title: String
    var url: String
    var thumbnailUrl: String
}
