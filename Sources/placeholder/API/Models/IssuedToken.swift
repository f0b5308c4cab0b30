/// A token, and the number of calls that it is valid for.
struct IssuedToken: Codable, Sendable {
    var token: String
    var calls: Int
}
