/// Somebody who posts, and has things to do.
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

    /// Where a user lives.
    struct Address: Codable, Equatable {
        var street: String
        var suite: String
        var city: String
        var zipcode: String
    }

    /// Whom a user works for.
    struct Company: Codable, Equatable {
        var name: String
        var catchPhrase: String
    }
}
