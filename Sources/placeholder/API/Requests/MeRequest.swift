import Errand

/// Fetches whoever the token stands for.
final class MeRequest: PlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/me"
    }

    func start() -> Pipeline<User, any Error> {
        sendRequest().decode(User.self)
    }
}
