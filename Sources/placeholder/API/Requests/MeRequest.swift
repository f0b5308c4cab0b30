import Errand

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
