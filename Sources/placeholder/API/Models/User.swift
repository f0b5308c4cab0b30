/// A user, with posts, albums and tasks.
struct User: Resource, Equatable {
    static let kind = ResourceKind.users

    var id: Int
    var name: String
    var username: String
    var email: String
    var phone: String
    var website: String
    var address: Address
    var company: Company

    /// The address of a user.
    struct Address: Codable, Equatable {
        var street: String
        var suite: String
        var city: String
        var zipcode: String
    }

    /// The employer of a user.
    struct Company: Codable, Equatable {
        var name: String
        var catchPhrase: String
    }
}
