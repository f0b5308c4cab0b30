import Errand

/// Fetches a user from where most requests fail.
final class FlakyRequest: PlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/flaky"
    }

    func start() -> Pipeline<User, any Error> {
        sendRequest().decode(User.self)
    }
}
