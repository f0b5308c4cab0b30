/// The words of a name, in lowercase. `user[accessToken2]` has the words "user", "access", "token" and "2".
///
/// A word ends at any character other than a letter or digit, between letters and digits, and before an uppercase
/// letter. `APIKey` has the words "api" and "key".
struct NameWords {
    private(set) var words: [String] = []

    init(_ name: String) {
        let scalars = Array(name.unicodeScalars)
        var word = ""
        for (index, scalar) in scalars.enumerated() {
            let isInWord = scalar.isLetter || scalar.isNumeral
            if !word.isEmpty, !isInWord || Self.isBoundary(before: index, in: scalars) {
                words.append(word.lowercased())
                word = ""
            }
            if isInWord { word.unicodeScalars.append(scalar) }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
    }

    /// The words joined without separators.
    func joined() -> String { words.joined() }

    /// Returns `true` if a new word begins at an index whose previous character belongs to a word.
    private static func isBoundary(before index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let (last, scalar) = (scalars[index - 1], scalars[index])
        if last.isLetter != scalar.isLetter { return true }
        guard scalar.isCapital else { return false }
        // The last of several uppercase letters begins the next word.
        return !last.isCapital || index + 1 < scalars.count && scalars[index + 1].isSmall
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { isASCII ? isCapital || isSmall : properties.isAlphabetic }
    fileprivate var isNumeral: Bool { isASCII ? "0"..."9" ~= self : properties.numericType != nil }
    fileprivate var isCapital: Bool { isASCII ? "A"..."Z" ~= self : properties.isUppercase }
    fileprivate var isSmall: Bool { isASCII ? "a"..."z" ~= self : properties.isLowercase }
}
