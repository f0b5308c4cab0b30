/// A parser of the values of a stream of JSON texts. The first text that cannot be decoded ends the stream.
struct JSONValueParser<Value: Decodable & SendableMetatype>: PieceParser {
    private var results: JSONResultParser<Value>

    init(_ type: Value.Type, framing: JSONFraming, decoder: (any DataDecoder)?, maximumLength: Int) {
        results = JSONResultParser(type, framing: framing, decoder: decoder, maximumLength: maximumLength)
    }

    mutating func begin(_ response: DataResponse) { results.begin(response) }

    mutating func append(_ piece: Data) { results.append(piece) }

    // The iterator adds the response to an error, and converts the error.
    mutating func next() throws(ErrandError) -> Value? { try results.nextValue()?.get() }

    mutating func finish() throws(ErrandError) -> Value? { try results.lastValue()?.get() }
}

/// A parser of the values of a stream of JSON texts. Each text that cannot be decoded produces an error.
struct JSONResultParser<Value: Decodable & SendableMetatype>: PieceParser {
    private var splitter: JSONTextSplitter
    private let framing: JSONFraming
    private let maximumLength: Int
    /// The decoder; `nil` until the response is known, if the caller specified none.
    private var decoder: (any DataDecoder)?
    /// The response whose body is parsed, if it is known. Errors describe it.
    private var response: DataResponse?
    /// The number of values so far, including the invalid ones. An error identifies its value by this number.
    private var count = 0

    init(_ type: Value.Type, framing: JSONFraming, decoder: (any DataDecoder)?, maximumLength: Int) {
        self.framing = framing
        splitter = JSONTextSplitter(framing, maximumLength: maximumLength)
        self.maximumLength = max(0, maximumLength)
        self.decoder = decoder
    }

    mutating func begin(_ response: DataResponse) {
        // Errors need only the head. The body would keep the connection open.
        self.response = response.withoutStream
        decoder = decoder ?? response.decoder
    }

    mutating func append(_ piece: Data) {
        splitter.append(piece)
    }

    mutating func next() -> Result<Value, ErrandError>? { nextValue().map(describing) }

    mutating func finish() -> Result<Value, ErrandError>? { lastValue().map(describing) }

    /// Returns the next value; its error does not describe the response.
    fileprivate mutating func nextValue() -> Result<Value, ErrandError>? { splitter.next().map { value(of: $0) } }

    /// Returns the value that the end of the body completes; its error does not describe the response.
    fileprivate mutating func lastValue() -> Result<Value, ErrandError>? { splitter.finish().map { value(of: $0) } }

    private func describing(_ result: Result<Value, ErrandError>) -> Result<Value, ErrandError> {
        result.mapError { error in response.map { error.with(headOf: $0) } ?? error }
    }

    private mutating func value(of text: JSONText) -> Result<Value, ErrandError> {
        // The count of an endless stream must not overflow.
        let number = count < .max ? count + 1 : count
        // Bytes before a record separator or after an array are not a value.
        if text != .stray { count = number }
        switch text {
        case .whole(let bytes):
            return decoded(bytes)
        case .cutOff(let bytes):
            let reason =
                framing == .array
                ? "the body ends before the array, at value \(count)"
                : "value \(count) may be cut off, since no white space follows it"
            return .failure(ErrandError(.decodingFailed, reason: reason, document: Data(bytes)))
        case .notAnArray:
            return .failure(ErrandError(.decodingFailed, reason: "the body is not an array"))
        case .stray:
            let reason =
                framing == .array
                ? "the body continues after the array"
                : "the bytes before value \(number) do not begin with a record separator"
            return .failure(ErrandError(.decodingFailed, reason: reason))
        case .nothing:
            let reason = "value \(count) is missing: a comma or the end of the array is in its place"
            return .failure(ErrandError(.decodingFailed, reason: reason))
        case .tooLong:
            let reason = "value \(count) has more than \(maximumLength) bytes"
            return .failure(ErrandError(.elementTooLarge, reason: reason))
        }
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) -> Result<Value, ErrandError> {
        let decoder = decoder ?? FastJSONDecoder()
        let decoded = bytes.withUnsafeBytes { bytes in
            Result<Value, DecodingFailure> { () throws(DecodingFailure) in try decoder.value(Value.self, from: bytes) }
        }
        return decoded.mapError { failure in
            ErrandError(
                .decodingFailed, reason: "value \(count): \(failure)", document: Data(bytes),
                underlyingError: failure.cause)
        }
    }
}

extension ErrandError {
    /// Creates an error about one document of a stream, with its first bytes.
    init(_ code: Code, reason: String, document: Data, underlyingError: (any Error)? = nil) {
        self.init(code, reason: reason, underlyingError: underlyingError)
        // A copy, because a slice would keep the whole document in memory as long as the error.
        bodyPrefix = Data(Array(document.prefix(Self.bodyPrefixLimit)))
    }
}
