/// The name and password that are exchanged for a token.
struct Credentials: Codable, Equatable, Sendable {
    var name: String
    var password: String
}
