/// The path to a value in a JSON document (RFC 6901), cut into its keys and indices.
struct JSONPointer: Hashable, Sendable {
    let tokens: [String]

    /// Returns `nil` for a text that is neither empty nor begins with a slash, and for a tilde that escapes nothing.
    init?(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.hasPrefix("/") else { return nil }
        let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.replacing("~0", with: "").replacing("~1", with: "").contains("~") }) else {
            return nil
        }
        tokens = parts.map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
    }

    init(_ tokens: [String]) {
        self.tokens = tokens
    }

    var text: String {
        tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    /// The number that a token stands for; `nil` for a sign, a leading zero, and anything that is not a number.
    static func index(_ token: String) -> Int? {
        guard let index = Int(token), "\(index)" == token, index >= 0 else { return nil }
        return index
    }
}
