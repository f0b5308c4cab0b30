/// The key strategies of Foundation for `snake_case`.
enum SnakeCase {
    /// Converts `first_name` to `firstName`. Underscores at the start and the end stay.
    static func camelCase(of key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let others = words.dropFirst().map { capitalized($0) }
        return key[..<first] + words[0].lowercased() + others.joined() + key[key.index(after: last)...]
    }

    /// A word with its first letter in upper case and the others in lower case, as Foundation's `capitalized` has it.
    private static func capitalized(_ word: Substring) -> String {
        guard word.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) else { return word.capitalized }
        return word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }

    /// Converts `firstName` to `first_name`, and `myURLProperty` to `my_url_property`.
    static func snakeCase(of key: String) -> String {
        var words: [Substring] = []
        var start = key.startIndex
        var search = key.index(start, offsetBy: 1, limitedBy: key.endIndex) ?? key.endIndex
        while let upper = key[search...].firstIndex(where: \.isUppercase) {
            words.append(key[start..<upper])
            guard let lower = key[upper...].firstIndex(where: \.isLowercase) else {
                // The rest is an acronym.
                start = upper
                search = key.endIndex
                break
            }
            let afterUpper = key.index(after: upper)
            if lower == afterUpper {
                start = upper
            } else {
                // The last of several upper-case letters begins the next word.
                let beforeLower = key.index(before: lower)
                words.append(key[upper..<beforeLower])
                start = beforeLower
            }
            search = lower
        }
        words.append(key[start...])
        return words.map { $0.lowercased() }.joined(separator: "_")
    }
}
