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

extension Pipeline where Output == DataResponse {
    /// Fails with ``ErrandError/Code-swift.struct/unacceptableStatusCode`` unless the status code is accepted.
    ///
    /// ```swift
    /// super.startRequest().validateStatusCode(in: 200..<300)
    /// sendRequest().validateStatusCode(in: [200, 404])
    /// ```
    ///
    /// The error contains the status, the header fields and the first bytes of the body.
    ///
    /// - Parameter accepted: The accepted codes: a range with a lower bound, an array, a set or any other finite
    ///   sequence. It is read once, in this call.
    @inlinable
    public func validateStatusCode(in accepted: some Sequence<Int>) -> Pipeline<DataResponse, any Error> {
        accepting(StatusCodes(accepted))
    }

    @inlinable
    func accepting(_ accepted: StatusCodes) -> Pipeline<DataResponse, any Error> {
        tryMap { response in
            try accepted.check(response)
            return response
        }
    }
}

extension StatusCodes {
    @usableFromInline
    func check(_ response: DataResponse) throws(ErrandError) {
        guard !contains(response.statusCode) else { return }
        throw ErrandError(.unacceptableStatusCode, reason: "the status is \(response.statusCode)\(expectation)")
            .with(response: response)
    }

    /// The accepted codes in words, for the end of an error message: `, not 200 to 299`.
    private var expectation: String {
        guard !ranges.isEmpty else { return ", and no status is accepted" }
        // A longer list would not help a reader of the message.
        guard ranges.count <= 5 else { return ", which is not among the accepted ones" }
        return ", not \(self)"
    }
}

extension Pipeline where Output == DataResponse {
    /// Fails with ``ErrandError/Code-swift.struct/unacceptableContentType`` unless the body has one of these media
    /// types.
    ///
    /// ```swift
    /// .hasContentType(.json)
    /// .hasContentType("application/*", "text/json")
    /// ```
    ///
    /// Type and subtype are compared case-insensitively, and the parameters of the response's `Content-Type` are
    /// ignored (RFC 9110, section 8.3.1). A response without a body passes.
    ///
    /// - Parameter accepted: Media types, or ranges such as `application/*`. An invalid one matches nothing.
    public func hasContentType(_ accepted: ContentType...) -> Pipeline<DataResponse, any Error> {
        hasContentType(accepted)
    }

    /// Fails with ``ErrandError/Code-swift.struct/unacceptableContentType`` unless the body has one of these media
    /// types.
    ///
    /// - Parameter accepted: Media types or ranges, as for ``hasContentType(_:)-(ContentType...)``.
    public func hasContentType(_ accepted: [ContentType]) -> Pipeline<DataResponse, any Error> {
        tryMap { response in
            try response.checkContentType(accepted)
            return response
        }
    }
}

extension DataResponse {
    func checkContentType(_ accepted: [ContentType]) throws(ErrandError) {
        guard hasBody else { return }
        // If the field is repeated, which is invalid, the last valid type counts, as in browsers.
        let field = headers[values: "Content-Type"].last
        // Most responses name the type literally, so that it need not be parsed.
        if let field, accepted.contains(where: { $0.essence == field && $0.isValid }) { return }
        let found = headers.contentType
        if let found, accepted.contains(where: { $0.includes(found) }) { return }
        let what = found?.essence ?? (field == nil ? "no content type" : "no valid content type")
        let wanted = accepted.map(\.description).joined(separator: " or ")
        throw ErrandError(.unacceptableContentType, reason: "\(what), not \(wanted)").with(response: self)
    }
}
