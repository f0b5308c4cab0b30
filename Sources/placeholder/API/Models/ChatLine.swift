/// One line of the chat, as both sides send it.
struct ChatLine: Codable, Hashable, Sendable {
    var text: String
    /// Which of the lines it is that the server heard; nil in what it hears.
    var number: Int?
}
