/// The path to a value in a JSON document (RFC 6901), cut into its keys and indices.
struct JSONPointer: Hashable, Sendable {
    let tokens: [String]

    /// Returns `nil` for a text that is neither empty nor begins with a slash, and for a tilde without 0 or 1 after it.
    init?(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        // The text is split by scalars, because a slash and a combining accent after it are one `Character`.
        let scalars = text.unicodeScalars
        guard scalars.first == "/" else { return nil }
        var tokens: [String] = []
        for part in scalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    init(_ tokens: [String]) {
        self.tokens = tokens
    }

    /// The pointer in its syntax, with `~` and `/` in a token escaped.
    var text: String {
        var text = String.UnicodeScalarView()
        for token in tokens {
            text.append("/")
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text.append(contentsOf: "~0".unicodeScalars)
                case "/": text.append(contentsOf: "~1".unicodeScalars)
                default: text.append(scalar)
                }
            }
        }
        return String(text)
    }

    /// Returns the index that a token stands for; `nil` for a sign, a leading zero, and anything that is not a number.
    static func index(_ token: String) -> Int? {
        guard let index = Int(token), "\(index)" == token, index >= 0 else { return nil }
        return index
    }

    private static func unescaped(_ part: Substring.UnicodeScalarView) -> String? {
        var token = String.UnicodeScalarView()
        var rest = part
        while let scalar = rest.popFirst() {
            guard scalar == "~" else {
                token.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "0": token.append("~")
            case "1": token.append("/")
            default: return nil
            }
        }
        return String(token)
    }
}
