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
        let accepted = AcceptedStatusCodes(accepted)
        return tryMap { response in
            try accepted.check(response)
            return response
        }
    }
}

/// The accepted status codes. A range is kept, because it needs no memory and is fast to test. Any other sequence
/// becomes a set.
@usableFromInline
enum AcceptedStatusCodes: Sendable {
    case range(Range<Int>)
    case closed(ClosedRange<Int>)
    case set(Set<Int>)

    @inlinable
    init(_ codes: some Sequence<Int>) {
        switch codes {
        case let codes as Range<Int>: self = .range(codes)
        case let codes as ClosedRange<Int>: self = .closed(codes)
        case let codes as PartialRangeFrom<Int>: self = .closed(codes.lowerBound...Int.max)
        default: self = .set(Set(codes))
        }
    }

    @usableFromInline
    func check(_ response: DataResponse) throws(ErrandError) {
        guard !contains(response.statusCode) else { return }
        throw ErrandError(.unacceptableStatusCode, reason: "the status is \(response.statusCode)\(expectation)")
            .with(response: response)
    }

    /// The accepted codes in words, for the end of an error message: `, not 200 to 299`.
    private var expectation: String {
        let ranges: [ClosedRange<Int>] =
            switch self {
            case .range(let range): range.isEmpty ? [] : [ClosedRange(range)]
            case .closed(let range): [range]
            case .set(let set): Self.ranges(of: set)
            }
        guard !ranges.isEmpty else { return ", and no status is accepted" }
        guard ranges.count <= 5 else { return ", which is not among the accepted ones" }
        let texts = ranges.map { range in
            if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
            return "\(range.lowerBound) " + (range.upperBound == .max ? "or more" : "to \(range.upperBound)")
        }
        return ", not \(texts.joined(separator: " or "))"
    }

    private static func ranges(of codes: Set<Int>) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for code in codes.sorted() {
            if let last = ranges.last, last.upperBound == code - 1 {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        return ranges
    }

    private func contains(_ code: Int) -> Bool {
        switch self {
        case .range(let range): range.contains(code)
        case .closed(let range): range.contains(code)
        case .set(let set): set.contains(code)
        }
    }
}
