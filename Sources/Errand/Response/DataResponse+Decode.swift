extension DataResponse {
    /// Decodes the body, with the decoder of the API by default.
    ///
    /// For an optional type, an empty body decodes as `nil`: the body of status 204 or 205, or one with zero bytes.
    ///
    /// ```swift
    /// let user = try response.decode(User?.self)
    /// ```
    ///
    /// In contrast to the operator `decode(_:)` of a pipeline, this method decodes immediately. Use it to decode in
    /// several steps.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    /// - Throws: ``ErrandError`` with `decodingFailed`. Its reason contains the place in the document, the expected
    ///   value, and a status outside 200 to 299. It never quotes the document. A stream fails, unless it was collected
    ///   with ``collected(upTo:)``.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws(ErrandError) -> Value {
        try checkBodyIsRead()
        let decoder = decoder ?? self.decoder ?? FastJSONDecoder()
        if hasEmptyBody, let optional = type as? any OptionalValue.Type, let value = optional.empty as? Value {
            return value
        }
        do {
            return try decoder.value(type, from: data)
        } catch {
            let reason = 200..<300 ~= statusCode ? "\(error)" : "the status is \(statusCode): \(error)"
            throw ErrandError(.decodingFailed, reason: reason, underlyingError: error.cause).with(response: self)
        }
    }

    private var hasEmptyBody: Bool { data.isEmpty || statusCode == 204 || statusCode == 205 }

    /// Fails for a stream of which nothing was read: its bytes are not an empty document.
    private func checkBodyIsRead() throws(ErrandError) {
        guard body.isStreamed, data.isEmpty, hasBody else { return }
        throw ErrandError(
            .decodingFailed, reason: "the body is a stream that was not read: call `collected(upTo:)` first"
        )
        .with(response: self)
    }
}

/// An optional type, for which an empty body is a value.
private protocol OptionalValue {
    static var empty: Any { get }
}

extension Optional: OptionalValue {
    fileprivate static var empty: Any { Optional.none as Any }
}

extension DataResponse {
    /// Decodes the body as text, with the charset of its `Content-Type`, or UTF-8 if it names none.
    ///
    /// In the charsets UTF-8, UTF-16 and UTF-32, one leading byte order mark is removed. UTF-16 and UTF-32 without one
    /// are big-endian (RFC 2781, section 4.3). Invalid bytes are never replaced; they cause an error.
    ///
    /// - Throws: ``ErrandError`` with `decodingFailed` for a charset that Foundation does not support, for bytes that
    ///   are invalid in the charset, and for a stream, unless it was collected with ``collected(upTo:)``.
    public func text() throws(ErrandError) -> String {
        try checkBodyIsRead()
        guard let encoding else {
            throw ErrandError(.decodingFailed, reason: "the charset in Content-Type is not supported")
                .with(response: self)
        }
        guard let text = TextCoding(encoding, of: data).text else {
            // The charset is one of the supported names, not any text from the server.
            let charset = headers.contentType?["charset"]?.uppercased() ?? "UTF-8"
            throw ErrandError(.decodingFailed, reason: "the body is not valid \(charset) text").with(response: self)
        }
        return text
    }

    /// The encoding of the charset; UTF-8 if none is named, `nil` for an unknown one.
    private var encoding: String.Encoding? {
        guard let type = headers.contentType, type["charset"] != nil else { return .utf8 }
        return type.charset
    }
}

/// The encoding of a text with its byte order, and its bytes without the byte order mark.
struct TextCoding {
    let encoding: String.Encoding
    let bytes: Data

    init(_ named: String.Encoding, of data: Data) {
        let marks = Self.marks[named] ?? []
        let mark = marks.first { data.starts(with: $0.bytes) }
        encoding = mark?.encoding ?? marks.last?.encoding ?? named
        bytes = data.dropFirst(mark?.bytes.count ?? 0)
    }

    /// The text; `nil` if the bytes are invalid in the encoding.
    ///
    /// Foundation decodes only the encodings outside Unicode: in the others, it would remove a second mark, and repair
    /// invalid bytes.
    var text: String? {
        switch encoding {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .utf16BigEndian: units(UInt16.init(bigEndian:)).flatMap { String(validating: $0, as: UTF16.self) }
        case .utf16LittleEndian: units(UInt16.init(littleEndian:)).flatMap { String(validating: $0, as: UTF16.self) }
        case .utf32BigEndian: units(UInt32.init(bigEndian:)).flatMap { String(validating: $0, as: UTF32.self) }
        case .utf32LittleEndian: units(UInt32.init(littleEndian:)).flatMap { String(validating: $0, as: UTF32.self) }
        default: String(data: bytes, encoding: encoding)
        }
    }

    /// Returns the code units of the bytes; `nil` if the last one is incomplete.
    private func units<Unit: FixedWidthInteger & BitwiseCopyable>(_ unit: (Unit) -> Unit) -> [Unit]? {
        let size = MemoryLayout<Unit>.size
        guard bytes.count.isMultiple(of: size) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: size).map {
                unit(bytes.loadUnaligned(fromByteOffset: $0, as: Unit.self))
            }
        }
    }

    /// The byte order marks of an encoding, and the encodings they indicate. Without a mark, the last encoding applies.
    private static let marks: [String.Encoding: [(bytes: [UInt8], encoding: String.Encoding)]] = [
        .utf8: [([0xEF, 0xBB, 0xBF], .utf8)],
        .utf16: [([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian)],
        .utf32: [([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian)],
    ]
}

/// A decoded value together with the response from which it was decoded.
public struct DecodedResponse<Value> {
    /// The value of the body.
    public let value: Value
    /// The response: its status, its header fields and its body.
    public let response: DataResponse

    /// Creates a pair of a value and its response.
    public init(value: Value, response: DataResponse) {
        self.value = value
        self.response = response
    }
}

extension DecodedResponse: Sendable where Value: Sendable {}

extension DecodedResponse: Confidential {
    /// The type of the value and the response, without their contents.
    public var description: String { "\(Value.self) of \(response)" }
}

extension Pipeline where Output == DataResponse {
    /// Decodes the body, with the decoder of the API by default.
    ///
    /// ```swift
    /// sendRequest().decode([User].self)
    /// sendRequest().decode(Settings.self, decoder: PropertyListDecoder())
    /// ```
    ///
    /// For an optional type, an empty body, such as that of status 204, decodes as `nil`: `decode(User?.self)`. A body
    /// of more than 32 KiB is decoded outside the caller's actor, so that it does not block the main actor.
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``. Its reason contains the place in the document, the
    /// expected value, and a status outside 200 to 299. It never quotes the document. Fails with
    /// ``ErrandError/Code-swift.struct/unacceptableStatusCode`` for a status outside 200 to 299 that neither a setting
    /// nor `validateStatusCode(in:)` accepts.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: A ``/ErrandJSON/FastJSONDecoder`` with settings, a `PropertyListDecoder`, or any other
    ///     ``/ErrandJSON/DataDecoder``; `nil`, the default, uses ``APIBase/decoder``.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) -> Pipeline<Value, any Error> {
        decoding { try $0.decode(type, decoder: decoder) }
    }

    /// Decodes the body as ``decode(_:decoder:)`` does, and returns the value together with the response.
    ///
    /// ```swift
    /// let page = try await UsersRequest().sendRequest().decodeWithResponse([User].self).value
    /// print(page.value.count, page.response.headers["X-Total-Count"] ?? "unknown")
    /// ```
    public func decodeWithResponse<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) -> Pipeline<DecodedResponse<Value>, any Error> {
        decoding { DecodedResponse(value: try $0.decode(type, decoder: decoder), response: $0) }
    }

    /// Creates a value from the body: outside the caller's actor for a large body, without a change of executor for a
    /// small one.
    func decoding<Value>(
        _ decode: @escaping @Sendable (DataResponse) throws -> sending Value
    ) -> Pipeline<Value, any Error> {
        let decodeAndNote: @Sendable (DataResponse) throws -> sending Value = { response in
            do {
                try response.requireSuccess()
                return try decode(response)
            } catch let error as ErrandError {
                // A service may convert this failure, and then a retry could not recognize it.
                RetryFacts.current?.note { $0.isTransient = error.isTransient }
                throw error
            }
        }
        // An immediate pipeline, such as that of a stub, stays immediate: it must not suspend.
        guard case .suspending(let run) = source else { return tryMap(decodeAndNote) }
        return Pipeline<Value, any Error> { () async throws(any Error) in
            let response = try await run()
            guard response.data.count > largestBodyOnActor else { return try decodeAndNote(response) }
            return try await decodeConcurrently(response, decodeAndNote)
        }
    }
}

/// The size in bytes of the largest body that is decoded on the caller's actor. Decoding 32 KiB of JSON takes about a
/// quarter of a millisecond, which is more than a change of thread.
private let largestBodyOnActor = 32_768

@concurrent private func decodeConcurrently<Value>(
    _ response: DataResponse, _ decode: @Sendable (DataResponse) throws -> sending Value
) async throws -> sending Value {
    try decode(response)
}

extension Pipeline where Output == DataResponse {
    /// Decodes the body as text, with the charset of its `Content-Type`, or UTF-8 if it names none.
    ///
    /// ```swift
    /// sendRequest().decodeText()
    /// ```
    ///
    /// In contrast, `decode(String.self)` decodes a JSON string in quotes. Fails with
    /// ``ErrandError/Code-swift.struct/decodingFailed`` as ``DataResponse/text()`` does.
    public func decodeText() -> Pipeline<String, any Error> {
        decoding { try $0.text() }
    }

    /// Accepts any body, including an empty one, and returns no value. Use it if only the success of the request
    /// matters.
    ///
    /// ```swift
    /// sendRequest().decodeVoid()
    /// ```
    ///
    /// Fails as ``decode(_:decoder:)`` does for a status outside 200 to 299 that nothing accepts. In contrast, `map`
    /// receives every response.
    public func decodeVoid() -> Pipeline<Void, any Error> {
        tryMap { try $0.requireSuccess() }
    }

    /// Accepts any body and returns no value; the same as ``decodeVoid()``.
    public func decode(_ type: Void.Type) -> Pipeline<Void, any Error> {
        decodeVoid()
    }

    /// Decodes the server's own error document if the status code is not accepted.
    ///
    /// ```swift
    /// do {
    ///     let user = try await sendRequest().decodeError(ProblemDetails.self).decode(User.self).value
    /// } catch let error as ErrandError {
    ///     print(error.payload(as: ProblemDetails.self)?.detail ?? error.description)
    /// }
    /// ```
    ///
    /// The failure keeps the code ``ErrandError/Code-swift.struct/unacceptableStatusCode`` and gains the document as
    /// ``ErrandError/payload(as:)``. If the body is not such a document, the error's reason says so, and where decoding
    /// failed. A body of ``ErrandError/bodyPrefixLimit`` bytes or more is not decoded, and the reason says that too. An
    /// empty body is not mentioned. Other failures and all values pass unchanged.
    ///
    /// It may come before or after `validateStatusCode(in:)`: it accepts and rejects nothing, and what rejects the
    /// status later, such as `decode(_:)`, decodes the document. If several types are tried, the last document that
    /// decodes counts. ``ProblemDetails`` decodes from any object.
    ///
    /// - Parameters:
    ///   - type: ``ProblemDetails``, or the type of this server's error documents.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    public func decodeError<Payload: Decodable & Sendable>(
        _ type: Payload.Type, decoder: (any DataDecoder)? = nil
    ) -> Pipeline<DataResponse, any Error> {
        let decode: @Sendable (any Error) -> any Error = { $0.decodingPayload(type, decoder: decoder) }
        let document = ErrorDocument(decode)
        return mapError(decode).map { response in
            var response = response
            response.errorDocument = document.following(response.errorDocument)
            return response
        }
    }
}

extension Error {
    /// Returns this error with the server's error document, or with the reason why decoding it failed. An error with
    /// another code, or without bytes of the body, is returned unchanged.
    func decodingPayload<Payload: Decodable & Sendable>(
        _ type: Payload.Type, decoder: (any DataDecoder)? = nil
    ) -> any Error {
        guard var error = self as? ErrandError, error.code == .unacceptableStatusCode, !error.bodyPrefix.isEmpty
        else { return self }
        guard error.bodyPrefix.count < ErrandError.bodyPrefixLimit else {
            error.add("the error document has \(ErrandError.bodyPrefixLimit) bytes or more")
            return error
        }
        let decoder = decoder ?? error.payloadDecoder ?? FastJSONDecoder()
        do {
            error.payload = try ResponseStatus.$ofDocument.withValue(error.statusCode) {
                try decoder.value(type, from: error.bodyPrefix)
            }
        } catch let failure {
            error.add("the body is not a \(Payload.self): \(failure)")
        }
        return error
    }
}
