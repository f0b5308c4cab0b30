import Errand

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

/// Fetches the user that the token belongs to.
final class MeRequest: PlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/me"
    }

    func start() -> Pipeline<User, any Error> {
        sendRequest().decode(User.self)
    }
}

/// Fetches a user from a resource that fails most of the time.
final class FlakyRequest: PlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/flaky"
    }

    func start() -> Pipeline<User, any Error> {
        sendRequest().decode(User.self)
    }
}
