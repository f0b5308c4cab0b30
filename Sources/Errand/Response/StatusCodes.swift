/// The status codes that are accepted, for `acceptedStatusCodes` of a class, a service or an endpoint.
///
/// ```swift
/// acceptedStatusCodes = .successful               // 200 to 299
/// acceptedStatusCodes = 200..<400
/// acceptedStatusCodes = [200, 404]
/// acceptedStatusCodes?.insert(404)
/// ```
///
/// A range or another sequence in a variable is converted: `StatusCodes(range)`.
public struct StatusCodes: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The ranges of accepted codes, in ascending order.
    @usableFromInline private(set) var ranges: [ClosedRange<Int>]

    /// Every status code.
    public static let all = StatusCodes([0...Int.max])
    /// The codes of the class "Successful" (RFC 9110, section 15.3): 200 to 299.
    public static let successful = StatusCodes([200...299])

    @usableFromInline
    init(_ ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// Creates the set of some codes: a range with a lower bound, an array, a set or any other finite sequence.
    @inlinable
    public init(_ codes: some Sequence<Int>) {
        switch codes {
        case let codes as Range<Int>: self.init(codes.isEmpty ? [] : [ClosedRange(codes)])
        case let codes as ClosedRange<Int>: self.init([codes])
        case let codes as PartialRangeFrom<Int>: self.init([codes.lowerBound...Int.max])
        default: self.init(StatusCodes.ranges(of: Set(codes)))
        }
    }

    /// Creates the set of the listed codes.
    public init(arrayLiteral codes: Int...) {
        self.init(codes)
    }

    /// Returns whether a code is accepted.
    public func contains(_ code: Int) -> Bool {
        ranges.contains { $0.contains(code) }
    }

    /// Adds a code.
    public mutating func insert(_ code: Int) {
        guard !contains(code) else { return }
        let index = ranges.firstIndex { $0.lowerBound > code } ?? ranges.endIndex
        ranges.insert(code...code, at: index)
        ranges = Self.joined(ranges)
    }

    /// Removes a code.
    public mutating func remove(_ code: Int) {
        guard let index = ranges.firstIndex(where: { $0.contains(code) }) else { return }
        let range = ranges[index]
        var rest: [ClosedRange<Int>] = []
        if range.lowerBound < code { rest.append(range.lowerBound...(code - 1)) }
        if range.upperBound > code { rest.append((code + 1)...range.upperBound) }
        ranges.replaceSubrange(index...index, with: rest)
    }

    @usableFromInline
    static func ranges(of codes: Set<Int>) -> [ClosedRange<Int>] {
        joined(codes.sorted().map { $0...$0 })
    }

    /// Joins neighbours in a list of ranges in ascending order.
    private static func joined(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        var joined: [ClosedRange<Int>] = []
        for range in ranges {
            if let last = joined.last, last.upperBound == range.lowerBound - 1 {
                joined[joined.count - 1] = last.lowerBound...range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}

extension StatusCodes {
    /// A literal bound of a range of status codes, such as `200` in `acceptedStatusCodes = 200..<300`. Where a `Range`
    /// fits too, the expression is a `Range`.
    public struct Bound: ExpressibleByIntegerLiteral, Sendable {
        let code: Int

        /// Creates a bound from a literal.
        public init(integerLiteral code: Int) {
            self.code = code
        }

        /// The codes from one bound up to another, without it.
        @_disfavoredOverload
        public static func ..< (lower: Bound, upper: Bound) -> StatusCodes { StatusCodes(lower.code..<upper.code) }
        /// The codes from one bound to another, including it.
        @_disfavoredOverload
        public static func ... (lower: Bound, upper: Bound) -> StatusCodes { StatusCodes(lower.code...upper.code) }
    }
}

extension StatusCodes: CustomStringConvertible {
    /// The codes in words: `200 to 299 or 404`.
    public var description: String {
        let texts = ranges.map { range in
            if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
            return "\(range.lowerBound) " + (range.upperBound == .max ? "or more" : "to \(range.upperBound)")
        }
        return texts.isEmpty ? "none" : texts.joined(separator: " or ")
    }
}
