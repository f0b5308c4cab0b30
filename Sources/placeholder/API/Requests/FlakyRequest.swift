import Errand

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
