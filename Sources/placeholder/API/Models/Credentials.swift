/// Who wants a token.
struct Credentials: Codable, Equatable, Sendable {
    var name: String
    var password: String
}
