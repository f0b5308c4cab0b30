/// The key strategies of Foundation for `snake_case`.
enum SnakeCase {
    /// Converts `first_name` to `firstName`. Underscores at the start and the end stay, and so does a key of one word.
    static func camelCase(of key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let others = words.dropFirst().map { capitalized($0) }
        return key[..<first] + words[0].lowercased() + others.joined() + key[key.index(after: last)...]
    }

    /// Whether a name is the converted form of a key. Most keys are compared byte by byte, without a new string.
    static func isCamelCase(_ name: UnsafeBufferPointer<UInt8>, of key: UnsafeBufferPointer<UInt8>) -> Bool {
        // Only a letter that is not ASCII can have more bytes in the other case.
        guard name.count <= key.count || key.contains(where: { $0 >= 0x80 }) else { return false }
        let underscore = UInt8(ascii: "_")
        var rest = name[...]
        // The last letter or digit; an underscore at the start of a word after the first.
        var previous: UInt8?
        var isFirstWord = true
        // Underscores since the last letter or digit. They are dropped, unless the key ends with them.
        var underscores = 0
        var firstWordHasUpperCase = false
        for byte in key {
            if byte == underscore {
                // Underscores at the start stay.
                guard previous != nil else {
                    guard rest.popFirst() == underscore else { return false }
                    continue
                }
                underscores += 1
                continue
            }
            if underscores > 0 {
                // A key of one word keeps its uppercase letters, but this key has a second word.
                guard !firstWordHasUpperCase else { return isEqual(name, toCamelCaseOf: key) }
                (underscores, isFirstWord, previous) = (0, false, underscore)
            }
            // In ASCII, the bit 0x20 distinguishes a lowercase letter from an uppercase one.
            let isLetter = 0x61...0x7A ~= byte | 0x20
            guard isLetter || 0x30...0x39 ~= byte else { return isEqual(name, toCamelCaseOf: key) }
            var converted = byte
            if isFirstWord {
                firstWordHasUpperCase = firstWordHasUpperCase || 0x41...0x5A ~= byte
            } else if isLetter {
                // Foundation decides whether a letter after a digit becomes uppercase.
                if let previous, 0x30...0x39 ~= previous { return isEqual(name, toCamelCaseOf: key) }
                converted = previous == underscore ? byte & 0xDF : byte | 0x20
            }
            guard rest.popFirst() == converted else {
                // A second word, which may not have been read yet, makes the first one lowercase.
                return firstWordHasUpperCase && key.contains(underscore) ? isEqual(name, toCamelCaseOf: key) : false
            }
            previous = byte
        }
        return rest.count == underscores && rest.allSatisfy { $0 == underscore }
    }

    /// Converts `firstName` to `first_name`, and `myURLProperty` to `my_url_property`.
    static func snakeCase(of key: String) -> String {
        var words: [Substring] = []
        var start = key.startIndex
        // An uppercase first letter does not begin a second word.
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

    private static func isEqual(
        _ name: UnsafeBufferPointer<UInt8>, toCamelCaseOf key: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        camelCase(of: String(decoding: key, as: UTF8.self)).utf8.elementsEqual(name)
    }

    /// A word with its first letter in upper case and the others in lower case. Foundation's `capitalized` takes
    /// longer, so it is called only for a word with a character that is not an ASCII letter.
    private static func capitalized(_ word: Substring) -> String {
        guard word.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) else { return word.capitalized }
        return word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
}
