/// One thing that is so of a request: an item of its query, a value in its body. Requests match when all their facts do.
struct Fact: Hashable, Sendable {
    /// The part of the request that it is of.
    let part: String
    /// What is compared.
    let value: String
    /// What is shown of it.
    let text: String

    init(_ part: String, _ value: String, shownAs text: String? = nil) {
        self.part = part
        self.value = value
        self.text = text ?? value
    }
}
