/// The range of bytes in a response, and the size of the whole representation (RFC 9110, section 14.4).
///
/// ```swift
/// // Content-Range: bytes 500-999/8000
/// response.headers.contentRange?.bytes     // 500...999
/// response.headers.contentRange?.total     // 8000
/// ```
public struct ContentRange: Hashable, Sendable {
    /// The positions of the first and the last byte; `nil` if the server does not have the requested range.
    public let bytes: ClosedRange<Int64>?
    /// The number of bytes of the whole representation; `nil` if the server does not know it.
    public let total: Int64?

    /// Parses `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`, with the unit in any case. Returns `nil` for any other
    /// text, for a number with more than 18 digits, and for a range that is reversed or exceeds the total.
    public init?(field: String) {
        let parts = field.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = BytePosition.read(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        self.total = total
        guard halves[0] != "*" else {
            // A field with neither a range nor a total is invalid.
            if total == nil { return nil }
            bytes = nil
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = BytePosition.read(ends[0]), let last = BytePosition.read(ends[1]),
            first <= last, last < (total ?? .max)
        else { return nil }
        bytes = first...last
    }
}

/// A part of a representation that a request asks for (RFC 9110, section 14.1.2).
///
/// ```swift
/// headers.byteRanges = [.bytes(0...499)]           // Range: bytes=0-499
/// headers.byteRanges = [.from(500)]                // Range: bytes=500-
/// headers.byteRanges = [.last(500)]                // Range: bytes=-500
/// ```
///
/// A server may ignore the field and send everything, with status 200. The response to one range has status 206 and a
/// ``HeaderFields/contentRange``.
public enum ByteRange: Hashable, Sendable {
    /// The bytes at these positions; the first byte has position 0.
    case bytes(ClosedRange<Int64>)
    /// All bytes from a position on.
    case from(Int64)
    /// This number of bytes at the end.
    case last(Int64)

    fileprivate init?(_ text: Substring) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (BytePosition.read(ends[0]), BytePosition.read(ends[1])) {
        case (let first?, let last?) where first <= last: self = .bytes(first...last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }
}

extension ByteRange: CustomStringConvertible {
    /// The range as it is in a header field: `0-499`, `500-`, `-500`. A negative number counts as 0.
    public var description: String {
        switch self {
        case .bytes(let range): "\(max(range.lowerBound, 0))-\(max(range.upperBound, 0))"
        case .from(let first): "\(max(first, 0))-"
        case .last(let count): "-\(max(count, 0))"
        }
    }
}

extension HeaderFields {
    /// The byte ranges of the `Range` field, in order. `nil` if the field is missing or malformed, or has a unit other
    /// than bytes. Setting `nil` or an empty list removes the field.
    public var byteRanges: [ByteRange]? {
        get {
            guard let field = self["Range"], let equals = field.firstIndex(of: "="),
                field[..<equals].trimmingCharacters(in: .whitespaces).lowercased() == "bytes"
            else { return nil }
            let texts = field[field.index(after: equals)...].split(separator: ",")
                .map { Substring($0.utf8.trimmingBlanks) }.filter { !$0.isEmpty }
            let ranges = texts.compactMap(ByteRange.init)
            return ranges.isEmpty || ranges.count < texts.count ? nil : ranges
        }
        set {
            let ranges = newValue ?? []
            self["Range"] = ranges.isEmpty ? nil : "bytes=" + ranges.map(\.description).joined(separator: ", ")
        }
    }

    /// The `Content-Range` field: the bytes in a response with status 206, or the total size in a response with status
    /// 416. `nil` if the field is missing, malformed or repeated.
    public var contentRange: ContentRange? { self["Content-Range"].flatMap(ContentRange.init(field:)) }
}

/// The parser for positions and numbers of bytes in header fields.
enum BytePosition {
    /// Reads a number of 1 to 18 digits, so that no sum of two positions overflows.
    static func read(_ text: Substring) -> Int64? {
        guard 1...18 ~= text.utf8.count, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int64(text)
    }
}
