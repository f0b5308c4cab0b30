/// One line of the chat, as both sides send it.
struct ChatLine: Codable, Hashable, Sendable {
    var text: String
    /// The number of the line, counted by the server; `nil` in lines from the client.
    var number: Int?
}
