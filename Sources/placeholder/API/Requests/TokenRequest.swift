import Errand

/// Gets a token in exchange for a name and a password.
final class TokenRequest: PlaceholderAPI, Request {
    init(_ credentials: Credentials) {
        super.init()
        method = .post
        path = "/tokens"
        content = credentials
    }

    func start() -> Pipeline<IssuedToken, any Error> {
        sendRequest().decode(IssuedToken.self)
    }
}
