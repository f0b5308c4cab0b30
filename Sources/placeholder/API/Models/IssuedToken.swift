/// A token, good for so many calls.
struct IssuedToken: Codable, Sendable {
    var token: String
    var calls: Int
}
