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
        guard ranges.count <= 5 else { return ", which is not among the accepted ones" }
        return ", not \(self)"
    }
}
