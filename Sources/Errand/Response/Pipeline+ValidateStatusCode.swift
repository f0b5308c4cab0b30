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
    /// - Parameter accepted: The accepted codes: a range of any kind, an array, a set or any other finite sequence. It
    ///   is read once, in this call.
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
        throw ErrandError(.unacceptableStatusCode, reason: "\(response.statusCode) is not accepted")
            .with(response: response)
    }

    private func contains(_ code: Int) -> Bool {
        switch self {
        case .range(let range): range.contains(code)
        case .closed(let range): range.contains(code)
        case .set(let set): set.contains(code)
        }
    }
}
