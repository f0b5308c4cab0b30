extension AsyncSequence where Self: Sendable, Element == Data {
    /// Returns the decoded values of a stream of JSON texts, each as soon as its text is complete. The first text that
    /// cannot be decoded ends the sequence.
    ///
    /// ```swift
    /// for try await reading in request.sendStream().values(of: Reading.self) { print(reading) }
    /// ```
    ///
    /// A text that cannot be decoded fails with ``ErrandError/Code-swift.struct/decodingFailed``. The reason gives the
    /// number of the text and the problem, and ``ErrandError/bodyPrefix`` contains its first bytes. A text that is too
    /// long fails with `elementTooLarge`. To continue after such a text, use
    /// ``results(of:framing:decoder:maximumLength:)``. Cancelling the task that reads, or leaving the loop, ends the
    /// transfer.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - framing: The way in which the stream separates the texts; by default, one text per line.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    ///   - maximumLength: The maximum length of a text in bytes; 16 MiB by default. It also bounds the buffer for an
    ///     incomplete text. A negative value counts as zero.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, framing: JSONFraming = .newlineDelimited, decoder: (any DataDecoder)? = nil,
        maximumLength: Int = 16 << 20
    ) -> some AsyncSequence<Value, any Error> & Sendable {
        ParsedSequence(
            base: self,
            parser: JSONValueParser(type, framing: framing, decoder: decoder, maximumLength: maximumLength))
    }

    /// Returns the decoded values of a stream of JSON texts, each as soon as its text is complete. Each text that
    /// cannot be decoded produces an error.
    ///
    /// ```swift
    /// for try await result in request.sendStream().results(of: Reading.self) {
    ///     switch result {
    ///     case .success(let reading): print(reading)
    ///     case .failure(let error): print(error)
    ///     }
    /// }
    /// ```
    ///
    /// Unlike ``values(of:framing:decoder:maximumLength:)``, it continues after an invalid text: one that cannot be
    /// decoded (`decodingFailed`) or is too long (`elementTooLarge`). Errors of the transport are thrown.
    ///
    /// - Parameters: As for ``values(of:framing:decoder:maximumLength:)``.
    public func results<Value: Decodable & SendableMetatype>(
        of type: Value.Type, framing: JSONFraming = .newlineDelimited, decoder: (any DataDecoder)? = nil,
        maximumLength: Int = 16 << 20
    ) -> some AsyncSequence<Result<Value, ErrandError>, any Error> & Sendable {
        ParsedSequence(
            base: self,
            parser: JSONResultParser(type, framing: framing, decoder: decoder, maximumLength: maximumLength))
    }
}
