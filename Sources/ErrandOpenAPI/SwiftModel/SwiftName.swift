/// Names in Swift for names in a document.
enum SwiftName {
    /// A name of a type: `PetStatus`.
    static func type(_ text: String) -> String {
        let words = words(of: signed(text))
        let name = words.map { Self.capitalized($0) }.joined()
        return escaped(startingLikeIdentifier(name.isEmpty ? capitalized(special(text)) : name), isType: true)
    }

    /// A name of a property, a parameter or a case: `petStatus`.
    static func member(_ text: String) -> String { escaped(plainMember(text), isType: false) }

    /// A member's name without the backticks of a keyword, as a part of another name.
    static func plainMember(_ text: String) -> String {
        let words = words(of: signed(text))
        guard let first = words.first else { return startingLikeIdentifier(special(text)) }
        let rest = words.dropFirst().map { Self.capitalized($0) }.joined()
        return startingLikeIdentifier(first.lowercased() + rest)
    }

    /// Whether a text can be a name as it is, in backticks or without.
    static func isIdentifier(_ text: String) -> Bool {
        guard text.first?.isIdentifierStart == true, text != "_" else { return false }
        return text.allSatisfy { $0 == "_" || $0.isIdentifierPart } && !unusable.contains(text)
            && !keywords.contains(text)
    }

    /// The singular of a plural, for the elements of an array.
    static func singular(_ text: String) -> String {
        let endings = [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ses", "se")]
        if text.lowercased().hasSuffix("item") { return text }
        for (plural, singular) in endings where text.lowercased().hasSuffix(plural) && text.count > plural.count + 1 {
            return text.dropLast(plural.count) + singular
        }
        return isPlural(text) ? String(text.dropLast()) : text + "Item"
    }

    private static func isPlural(_ text: String) -> Bool {
        text.count > 2 && text.hasSuffix("s") && !["ss", "us", "is", "as"].contains { text.hasSuffix($0) }
    }

    /// The name of an array whose elements have a name: `categories`, and for a name that is plural, `settingsList`.
    static func plural(_ text: String) -> String {
        if isPlural(text) { return text + "-list" }
        let lowercased = text.lowercased()
        if lowercased.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(where: { lowercased.hasSuffix($0) }) {
            return text.dropLast() + "ies"
        }
        return text + (["s", "x", "z", "ch", "sh"].contains { lowercased.hasSuffix($0) } ? "es" : "s")
    }

    /// The name of an array of arrays, by the name of the inner one: `integerLists`.
    static func pluralOfLists(_ text: String) -> String { (isPlural(text) ? singular(text) : text) + "-lists" }

    /// A text with words for its signs, which names do not have: `Etc/GMT+1` and `Etc/GMT-1` differ in nothing else.
    static func spelled(_ text: String) -> String {
        var spelled = ""
        var previous: Character?
        for (character, next) in zip(text, Array(text.dropFirst()) + [" "]) {
            // A minus sign stands before a number, and not between two, as in a date.
            let isSign = character != "-" || next.isNumber && previous?.isNumber != true
            let name = isSign && !"/.,_ :".contains(character) ? signs[character] : nil
            spelled += name.map { spelled.isEmpty ? "\($0)-" : "-\($0)-" } ?? String(character)
            previous = character
        }
        return spelled
    }

    /// The words of a text, without apostrophes. A word ends at anything but a letter or digit, and where the case
    /// changes.
    static func words(of text: String) -> [String] {
        var characters = Array(text.utf8.contains { $0 > 0x7F } ? text.withoutFormatCharacters : text)
        characters.removeAll { $0 == "'" || $0 == "’" }
        let kinds = characters.map(\.kind)
        let isShouting = !kinds.contains(.lowercase)
        var words: [String] = []
        var word = ""
        for (index, kind) in kinds.enumerated() {
            guard kind != .separator else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if kind == .uppercase, !word.isEmpty {
                let isBeforeLowercase = index + 1 < kinds.count && kinds[index + 1] == .lowercase
                let isStart =
                    switch kinds[index - 1] {
                    case .uppercase: isBeforeLowercase && !isPlural(characters, kinds, from: index)
                    case .lowercase, .otherLetter: true
                    case .number: isBeforeLowercase
                    case .separator: false
                    }
                if isStart {
                    words.append(word)
                    word = ""
                }
            }
            word.append(characters[index])
        }
        if !word.isEmpty { words.append(word) }
        return isShouting ? words.map { $0.lowercased() } : words
    }

    /// Whether a capital and a final `s` are the end of a plural such as `IDs`.
    private static func isPlural(_ characters: [Character], _ kinds: [Character.Kind], from index: Int) -> Bool {
        guard index + 1 < characters.count, characters[index + 1] == "s" else { return false }
        return index + 2 == characters.count || kinds[index + 2] != .lowercase
    }

    private static func capitalized(_ word: String) -> String {
        let lowercased = word.lowercased()
        if acronyms.contains(lowercased) { return word.uppercased() }
        if lowercased.hasSuffix("s"), acronyms.contains(String(lowercased.dropLast())), lowercased.count > 2 {
            return word.dropLast().uppercased() + "s"
        }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    private static let acronyms: Set<String> = [
        "api", "cpu", "css", "csv", "dns", "gif", "gpu", "html", "http", "https", "id", "ip", "jpeg", "json", "jwt",
        "os",
        "pdf", "png", "ram", "sdk", "sha", "smtp", "sms", "sql", "ssh", "ssl", "sso", "tcp", "tls", "ttl", "udp", "ui",
        "uri", "url", "utc", "uuid", "vm", "vpc", "vpn", "xml", "yaml",
    ]

    /// A text whose sign is a word, so that `-1`, `1` and `+1` have different names.
    private static func signed(_ text: String) -> String {
        guard text.count > 1 else { return text }
        return text.hasPrefix("+")
            ? "plus-\(text.dropFirst())" : text.hasPrefix("-") ? "minus-\(text.dropFirst())" : text
    }

    /// A name for a text without letters and digits.
    private static func special(_ text: String) -> String {
        let words = text.prefix(8).map { signs[$0] ?? "x" }
        guard let first = words.first else { return "empty" }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static let signs: [Character: String] = [
        "*": "all", "+": "plus", "-": "minus", "/": "slash", "<": "less", ">": "greater", "=": "equal", "!": "not",
        "~": "tilde", "%": "percent", "&": "and", "|": "or", ".": "dot", ",": "comma", "_": "underscore",
        "$": "dollar", "#": "number", "@": "at", "^": "caret", "?": "question", ":": "colon", " ": "space",
    ]

    /// `_` before a leading digit.
    private static func startingLikeIdentifier(_ name: String) -> String {
        guard let first = name.first else { return "_" }
        return first.isIdentifierStart ? name : "_" + name
    }

    private static func escaped(_ name: String, isType: Bool) -> String {
        if unusable.contains(name) { return name + "_" }
        if isType ? ["Any", "Protocol", "Type"].contains(name) : keywords.contains(name) { return "`\(name)`" }
        return name
    }

    /// Names that Swift does not accept even with backticks, or that change the meaning of an expression.
    private static let unusable: Set<String> = [
        "init", "self", "Self", "Type", "Protocol", "_", "hashValue", "customMirror",
    ]

    private static let keywords: Set<String> = [
        "any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true",
        "try", "typealias", "unsafe", "var", "where", "while",
    ]
}

extension Character {
    /// What a character is to the words of a name.
    fileprivate enum Kind {
        case uppercase, lowercase, otherLetter, number
        /// A character that names do not have.
        case separator

        init(ascii byte: UInt8) {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .uppercase
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .lowercase
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
            default: self = .separator
            }
        }
    }

    fileprivate var kind: Kind {
        // Most names are ASCII, for which no table of properties is searched.
        if let asciiValue { return Kind(ascii: asciiValue) }
        guard isIdentifierPart else { return .separator }
        return isUppercase ? .uppercase : isLowercase ? .lowercase : isLetter ? .otherLetter : .number
    }

    /// A combining mark can be a letter, but not the first character.
    fileprivate var isIdentifierStart: Bool {
        self == "_" || isLetter && unicodeScalars.first?.properties.isXIDStart == true
    }

    fileprivate var isIdentifierPart: Bool {
        guard isLetter || isNumber else { return false }
        // Some letters and digits, such as those in circles, are not parts of identifiers.
        return isASCII || unicodeScalars.allSatisfy { $0.properties.isXIDContinue && !$0.isInvisible }
    }
}

extension String {
    /// This text without format characters, such as U+200C in Persian words. A generated file shows them as `\u{200C}`,
    /// which a name cannot have.
    fileprivate var withoutFormatCharacters: String {
        String(unicodeScalars.filter { $0.properties.generalCategory != .format })
    }
}

/// Names of one scope, each of which is used once.
struct NameScope {
    private var taken: Set<String>
    /// The number for the next use of a name.
    private var numbers: [String: Int] = [:]

    init(reserved: Set<String> = []) {
        taken = reserved
    }

    func contains(_ name: String) -> Bool { taken.contains(name) }

    /// Returns the name of a member: if it is taken, with words for the signs of its text, or else with a number.
    mutating func unique(_ name: String, of text: String) -> String {
        unique(contains(name.bare) ? SwiftName.member(SwiftName.spelled(text)) : name)
    }

    /// Returns a name, or the name with a number if it is taken. `_` separates it from a number at the end of the name.
    mutating func unique(_ name: String) -> String {
        let bare = name.bare
        if taken.insert(bare).inserted { return name }
        let stem = bare.last?.isNumber == true ? bare + "_" : bare
        var number = numbers[bare] ?? 2
        while !taken.insert("\(stem)\(number)").inserted { number += 1 }
        numbers[bare] = number + 1
        return "\(stem)\(number)"
    }
}

extension String {
    /// This name without the backticks of a keyword.
    var bare: String { utf8.contains(UInt8(ascii: "`")) ? filter { $0 != "`" } : self }
}
