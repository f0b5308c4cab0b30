/// The body of a request: a recipe for its bytes, and their media type.
///
/// ```swift
/// body = .json(book)
/// body = .urlEncoded(["grant_type": "client_credentials", "scope": "read"])
/// body = .file(archive)
/// ```
///
/// Nothing is encoded and no file is opened before the request is built. A failure then fails the request with
/// ``ErrandError/Code-swift.struct/bodyEncodingFailed``, and nothing is sent.
public struct RequestBody: Sendable {
    /// What is put into the request.
    enum Content: Sendable {
        case none
        case data(Data)
        case stream(BodyStream)
    }

    /// The `Content-Type`; `nil` sends none. A field of that name in the request's headers wins.
    public let type: ContentType?
    /// The `Content-Encoding`; `nil` for bytes without a content coding. A field of that name in the request's headers
    /// wins.
    let contentEncoding: String?
    /// Makes the bytes, with the encoder of the API for values that bring none; `nil` for no body.
    private let makeContent: (@Sendable (any DataEncoder) throws -> Content)?
    /// Whether the bytes are made when the request is sent, and not when it is built.
    private(set) var isEncodedWhenSent = false

    /// The property that has the body, for errors.
    var property = "body"

    /// Whether the request has no body.
    var isEmpty: Bool { makeContent == nil }

    private init() {
        type = nil
        contentEncoding = nil
        makeContent = nil
    }

    /// A body of this type, made by a closure each time the request is built.
    ///
    /// - Parameters:
    ///   - type: The media type.
    ///   - contentEncoding: The content coding of the bytes.
    ///   - makeContent: Makes the bytes. Its argument is the encoder of the API that sends the body.
    init(
        type: ContentType?, contentEncoding: String? = nil,
        makeContent: @escaping @Sendable (any DataEncoder) throws -> Content
    ) {
        self.type = type
        self.contentEncoding = contentEncoding
        self.makeContent = makeContent
    }

    /// This body, made when the request is sent and not when it is built, outside the caller's actor.
    ///
    /// ```swift
    /// body = .json(yearOfMeasurements).encodedWhenSent()
    /// ```
    ///
    /// It keeps the main actor free while a large value is encoded. The body is made once for each run of the request, before the
    /// interceptors: they see its bytes, and a retry sends the same. It is not yet there in ``APIBase/buildURLRequest()``, and such
    /// a request has no ``APIBase/requestKey``.
    public func encodedWhenSent() -> RequestBody {
        var body = self
        body.isEncodedWhenSent = !isEmpty
        return body
    }

    /// Makes the content of a request that is built: of the body itself, or of what stands for it until the request is sent.
    ///
    /// - Throws: As ``content(defaultEncoder:)`` does.
    func contentWhenBuilt(defaultEncoder: any DataEncoder) throws(ErrandError) -> Content {
        guard isEncodedWhenSent else { return try namedContent(defaultEncoder: defaultEncoder) }
        return .stream(BodyStream(deferred: { try namedContent(defaultEncoder: defaultEncoder) }))
    }

    /// Makes the content of the body of a request; errors name the property.
    private func namedContent(defaultEncoder: any DataEncoder) throws(ErrandError) -> Content {
        do { return try content(defaultEncoder: defaultEncoder) } catch { throw error.about(property) }
    }

    /// Makes the content of the body.
    ///
    /// - Parameter defaultEncoder: The encoder of the API, for a value that was given without an encoder.
    /// - Throws: ``ErrandError``, with `bodyEncodingFailed` for errors without a code of their own.
    func content(defaultEncoder: any DataEncoder) throws(ErrandError) -> Content {
        guard let makeContent else { return .none }
        do {
            if let type, !type.isValid {
                throw ErrandError(.invalidHeaderField, reason: "the media type of the body is not valid")
            }
            return try makeContent(defaultEncoder)
        } catch let error as ErrandError {
            throw error
        } catch {
            let reason = EncodingFailure(error)?.description
            throw ErrandError(.bodyEncodingFailed, reason: reason, underlyingError: error)
        }
    }
}

extension RequestBody {
    /// No body.
    public static var empty: RequestBody { RequestBody() }

    /// These bytes, as they are.
    public static func data(_ data: Data, type: ContentType? = .octetStream) -> RequestBody {
        RequestBody(type: type) { _ in .data(data) }
    }

    /// A text in UTF-8, as `text/plain; charset=utf-8`.
    public static func text(_ text: String) -> RequestBody {
        RequestBody(type: "text/plain; charset=utf-8") { _ in .data(Data(text.utf8)) }
    }

    /// A value as JSON (RFC 8259), encoded when the request is built.
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`. The reason names the place, such as
    /// `things[0].score`, and never shows the value. So does an encoder that says that it writes something else than JSON
    /// (``DataEncoder/contentType``).
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; `nil` uses the encoder of the API that sends the body. It must not be changed any
    ///     more.
    public static func json(_ value: some Encodable & Sendable, encoder: (any DataEncoder)? = nil) -> RequestBody {
        RequestBody(type: .json) { defaultEncoder in
            let encoder = encoder ?? defaultEncoder
            if let type = encoder.contentType, type.subtype != "json", !type.subtype.hasSuffix("+json") {
                let reason = "the encoder writes \(type), not JSON: use .encoded(_:type:)"
                throw ErrandError(.bodyEncodingFailed, reason: reason)
            }
            return .data(try encoder.encode(value))
        }
    }

    /// A value as a property list, encoded when the request is built.
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`.
    ///
    /// - Parameters:
    ///   - value: The value; at the top level an object or an array.
    ///   - encoder: The encoder, by default for the binary format. It must not be changed any more.
    public static func propertyList(
        _ value: some Encodable & Sendable, encoder: PropertyListEncoder = PropertyListEncoder()
    ) -> RequestBody {
        .encoded(value, type: .propertyList, encoder: encoder)
    }

    /// A value in any format, encoded when the request is built.
    ///
    /// ```swift
    /// body = .encoded(changes, type: .mergePatchJSON)
    /// body = .encoded(rows, type: .csv, encoder: CSVEncoder())
    /// ```
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The media type of what the encoder writes.
    ///   - encoder: The encoder; `nil` uses the encoder of the API that sends the body. It must not be changed any
    ///     more.
    public static func encoded(
        _ value: some Encodable & Sendable, type: ContentType?, encoder: (any DataEncoder)? = nil
    ) -> RequestBody {
        RequestBody(type: type) { defaultEncoder in .data(try (encoder ?? defaultEncoder).encode(value)) }
    }

    /// Bytes from a closure that is called each time the request is built.
    ///
    /// ```swift
    /// body = .encoded(type: .csv) { try table.csvData() }
    /// ```
    ///
    /// An error of the closure becomes the cause of an ``ErrandError`` with `bodyEncodingFailed`.
    public static func encoded(type: ContentType?, _ encode: @escaping @Sendable () throws -> Data) -> RequestBody {
        RequestBody(type: type) { _ in .data(try encode()) }
    }

    /// The contents of a file, read while they are sent, as long as the file is when the request is built.
    ///
    /// A file that is missing then fails the request with `bodyEncodingFailed`; one that changes its size while it is sent,
    /// with `bodyCountMismatch`.
    ///
    /// - Parameters:
    ///   - file: Where it is.
    ///   - type: The media type; nil guesses it from the extension of the name, and says `application/octet-stream` for one
    ///     that is not known.
    public static func file(_ file: URL, type: ContentType? = nil) -> RequestBody {
        RequestBody(type: type ?? .guessed(for: file)) { _ in .stream(try BodyStream(file: file)) }
    }

    /// Some bytes of a file, read while they are sent: a part of an upload that is sent in parts.
    ///
    /// A file that is missing when the request is built, or does not have them all, fails the request with
    /// `bodyEncodingFailed`; one that is cut while it is sent, with `bodyCountMismatch`.
    ///
    /// - Parameters:
    ///   - file: Where it is.
    ///   - bytes: Which bytes, counted from 0.
    ///   - type: The media type; nil guesses it as for the whole file.
    public static func file(_ file: URL, bytes: Range<Int>, type: ContentType? = nil) -> RequestBody {
        RequestBody(type: type ?? .guessed(for: file)) { _ in .stream(try BodyStream(file: file, bytes: bytes)) }
    }

    /// A body that is read while it is sent; what can be read once can be sent once.
    public static func stream(_ stream: BodyStream, type: ContentType? = .octetStream) -> RequestBody {
        RequestBody(type: type) { _ in .stream(stream) }
    }
}

extension RequestBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The media type without its parameters, or `no type`; never a byte of the body.
    public var description: String { type?.essence ?? "no type" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows nothing else either.
    public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}
