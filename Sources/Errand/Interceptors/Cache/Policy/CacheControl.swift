/// The directives of a `Cache-Control` field (RFC 9111, section 5.2), of a request or a response.
///
/// A missing or invalid number, or two different numbers, count as zero (section 4.2.1).
struct CacheControl: Hashable, Sendable {
    /// The arguments of each directive, one for each occurrence: `nil` without an argument, and empty for one that is
    /// neither a token nor a quoted string.
    private var arguments: [String: [String?]] = [:]

    /// Parses the value of a field, whose lines are joined by commas; `nil` has no directives.
    init(_ text: String?) {
        for part in text.map(Self.parts) ?? [] {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: pair[0].trimmingBlanks.map(\.loweredASCII), as: UTF8.self)
            guard name.isHTTPToken else { continue }
            guard pair.count == 2 else {
                arguments[name, default: []].append(nil)
                continue
            }
            // A space next to the equals sign is not allowed, and makes the argument invalid.
            let isValid = pair[0].last?.isBlank == false && pair[1].first?.isBlank != true
            arguments[name, default: []].append(isValid ? Self.text(of: Array(pair[1].trimmingBlanks)) : "")
        }
    }

    /// Returns `true` if a directive is present, with or without an argument.
    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// Returns `true` if a directive is present without an argument, or with one that lists no field names.
    func isUnqualified(_ name: String) -> Bool {
        arguments[name]?.contains { Self.names(in: $0).isEmpty } ?? false
    }

    /// Returns `true` if a directive is present without an argument.
    func isBare(_ name: String) -> Bool { arguments[name]?.contains(nil) ?? false }

    /// Returns the seconds of a directive, at most ``HeaderFields/maximumSeconds``; `nil` if it is not present.
    func seconds(_ name: String) -> Int? {
        guard let arguments = arguments[name] else { return nil }
        let numbers = Set(arguments.map { $0.flatMap(Self.seconds(in:)) ?? 0 })
        return numbers.count == 1 ? numbers.first : 0
    }

    /// Returns the field names that a directive lists, as in `no-cache="X-Token"`.
    func fieldNames(_ name: String) -> [String] {
        arguments[name]?.flatMap(Self.names(in:)) ?? []
    }

    private static func names(in argument: String?) -> [String] {
        (argument ?? "").utf8.split(separator: UInt8(ascii: ","))
            .map { String(decoding: $0.trimmingBlanks, as: UTF8.self) }.filter { !$0.isEmpty }
    }

    /// Parses a number of seconds, at most ``HeaderFields/maximumSeconds``; `nil` if the text is not only digits.
    static func seconds(in text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Int(text) ?? .max, HeaderFields.maximumSeconds)
    }

    /// Splits the text at commas outside quotes. An unclosed quote does not quote: the text after it is parsed
    /// normally, so that it hides no directive.
    private static func parts(of text: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        // `false` after an unclosed quote, because then no later quote has an end either. A search for the end of each
        // would take quadratic time.
        var mayFindClosingQuote = true
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","):
                parts.append(bytes[start..<index])
                start = index + 1
            case UInt8(ascii: "\"") where mayFindClosingQuote:
                if let end = endOfQuote(in: bytes, from: index) { index = end } else { mayFindClosingQuote = false }
            default:
                break
            }
            index += 1
        }
        return parts + [bytes[start...]]
    }

    private static func endOfQuote(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { return index }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Returns the text of a token or of a quoted string; an empty text for anything else.
    private static func text(of bytes: [UInt8]) -> String {
        guard bytes.first == UInt8(ascii: "\"") else {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.isHTTPToken ? text : ""
        }
        guard endOfQuote(in: bytes, from: 0) == bytes.count - 1 else { return "" }
        var plain: [UInt8] = []
        var isEscape = false
        for byte in bytes.dropFirst().dropLast() {
            isEscape = byte == UInt8(ascii: "\\") && !isEscape
            if !isEscape { plain.append(byte) }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
