/// Which bytes of a representation an answer has, and how many there are (RFC 9110, section 14.4).
struct ContentRange: Hashable, Sendable {
    /// The first and the last byte; nil where the range that was asked for is not there.
    var bytes: ClosedRange<Int64>?
    /// How many bytes there are in all; nil where the server does not know.
    var total: Int64?

    /// Reads `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`; nil for anything else, also for what contradicts itself.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] != "*" {
            guard let total = Self.number(halves[1]) else { return nil }
            self.total = total
        }
        guard halves[0] != "*" else {
            // Neither a range nor a count says nothing.
            if total == nil { return nil }
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }

    /// At most 18 digits, so that no sum of two overflows.
    private static func number(_ text: Substring) -> Int64? {
        guard 1...18 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(text)
    }
}

extension HeaderFields {
    /// The length that the answer declares for its content; nil where there is none, or no single one.
    var declaredContentLength: Int64? {
        let values = Set(self[values: "Content-Length"])
        guard values.count == 1, let text = values.first, 1...18 ~= text.utf8.count,
            text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return Int64(text)
    }

    /// Whether the content is coded, so that its bytes are not those of the file.
    var hasContentCoding: Bool {
        self["Content-Encoding"].map { field in
            field.split(separator: ",").contains {
                !["identity", ""].contains($0.trimmingCharacters(in: .whitespaces).lowercased())
            }
        } ?? false
    }
}
