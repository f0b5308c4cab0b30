import Foundation

/// The macros of a test file of curl: conditional lines, variables and encoded bytes.
///
/// Texts hold one byte per character (ISO 8859-1), so that any byte passes through them.
struct CurlTestMacros {
    /// The values of variables such as `%HTTPPORT`, by name without the percent sign.
    let variables: [String: String]
    /// The features that hold in `%if`.
    let features: Set<String>

    /// The error for a macro that is not replayed.
    struct Unsupported: Error {
        let macro: String
    }

    /// Returns the lines that apply, with their macros replaced.
    func expand(_ lines: [String]) throws -> [String] {
        // Whether the lines inside each open condition apply.
        var conditions: [Bool] = []
        var expanded: [String] = []
        for line in lines {
            if line.hasPrefix("%if ") {
                let name = line.dropFirst(4).trimmingCharacters(in: .whitespaces)
                conditions.append(name.hasPrefix("!") != features.contains(name.replacing("!", with: "")))
            } else if line.hasPrefix("%else") {
                conditions.append(!(conditions.popLast() ?? false))
            } else if line.hasPrefix("%endif") {
                _ = conditions.popLast()
            } else if conditions.allSatisfy(\.self) {
                expanded.append(line.contains("%") ? try expand(line) : line)
            }
        }
        return expanded
    }

    private func expand(_ line: String) throws -> String {
        if line.hasPrefix("%include") { throw Unsupported(macro: "%include") }
        var line = line
        // Longer names first, because a name may begin with another.
        for (name, value) in variables.sorted(by: { $0.key.count > $1.key.count }) {
            line = line.replacingOccurrences(of: "%\(name)", with: value, options: .literal)
        }
        line = line.replacing(#/%b64\[(.*?)\]b64%/#) { match in
            Data(Self.decoded(String(match.1)).latin1).base64EncodedString()
        }
        line = line.replacing(#/%hex\[(.*?)\]hex%/#) { Self.decoded(String($0.1)) }
        line = line.replacing(#/%repeat\[(\d+) x (.*?)\]%/#) { match in
            String(repeating: Self.decoded(String(match.2)), count: Int(match.1) ?? 0)
        }
        line = line.replacing(#/%days\[(\d+)\]/#) { match in
            let time = Date().timeIntervalSince1970 + (Double(match.1) ?? 0) * 86_400
            return "\(Int(time / 60) * 60)"
        }
        for (name, value) in [
            ("%CR", "\r"), ("%SP", " "), ("%TAB", "\t"), ("%AMP", "&"), ("%GT", ">"), ("%LT", "<"),
        ] {
            line = line.replacingOccurrences(of: name, with: value, options: .literal)
        }
        return line
    }

    /// Returns a text with each `%XX` replaced by its byte.
    private static func decoded(_ text: String) -> String {
        text.replacing(#/%([0-9a-fA-F]{2})/#) { match in
            String(UnicodeScalar(UInt8(match.1, radix: 16) ?? 0))
        }
    }
}

extension String {
    /// The text with one character for each byte.
    init(latin1 bytes: some Sequence<UInt8>) {
        self.init(String.UnicodeScalarView(bytes.map(UnicodeScalar.init)))
    }

    /// The bytes of a text of one-byte characters.
    var latin1: Data { Data(unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) }

    /// The lines of a text, with their line feeds.
    var keptLines: [String] {
        var lines = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let last = lines.removeLast()
        return lines.map { $0 + "\n" } + (last.isEmpty ? [] : [last])
    }
}
