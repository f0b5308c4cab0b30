/// The body of a request: a description of how to create its bytes, and their media type.
///
/// ```swift
/// body = .json(book)
/// body = .urlEncoded(["grant_type": "client_credentials", "scope": "read"])
/// body = .file(archive)
/// ```
///
/// The content is created when the request is built. In these cases, it is created later, when the request is sent,
/// outside the caller's actor:
///
/// - The request is an ``Endpoint``.
/// - The body was returned by ``encodedWhenSent()``.
/// - The body is JSON of more than 32 KiB from a ``/ErrandJSON/FastJSONEncoder``, but not a patch.
/// - The body is ``gzipped()`` from more than 32 KiB of data that no closure returns.
///
/// A value that cannot be encoded fails the request with ``ErrandError/Code-swift.struct/bodyEncodingFailed``, and
/// nothing is sent.
public struct RequestBody: Sendable {
    /// The content that is added to the request.
    enum Content: Sendable {
        case none
        case data(Data)
        case stream(BodyStream)
    }

    /// The `Content-Type`; `nil` sends none. A field of that name in the request's headers replaces it.
    public let type: ContentType?
    /// The `Content-Encoding`; `nil` for bytes without a content coding. A field of that name in the request's headers
    /// replaces it.
    let contentEncoding: String?
    /// The closure that creates the bytes; `nil` for no body. It receives the API's encoder, for values without their
    /// own encoder.
    private let makeContent: (@Sendable (BodyEncoder) throws -> Content)?
    /// Whether the bytes are created when the request is sent, even if they are few.
    private(set) var isEncodedWhenSent = false

    /// Whether the body may be sent with a method that has no body by its definition.
    private(set) var fitsAnyMethod = false

    /// Whether the content can be created twice: up to a size when the request is built, and again when it is sent. It
    /// is `false` for a closure of the caller.
    let mayRepeat: Bool

    /// Whether the request has no body.
    var isEmpty: Bool { makeContent == nil }

    private init() {
        type = nil
        contentEncoding = nil
        makeContent = nil
        mayRepeat = true
    }

    /// Creates a body whose bytes a closure returns when the request is built or sent.
    ///
    /// - Parameters:
    ///   - type: The media type.
    ///   - contentEncoding: The content coding of the bytes.
    ///   - mayRepeat: Whether the closure may be called more than once for the same request.
    ///   - makeContent: A closure that returns the bytes. Its argument has the encoder of the API that sends the body.
    init(
        type: ContentType?, contentEncoding: String? = nil, mayRepeat: Bool = true,
        makeContent: @escaping @Sendable (BodyEncoder) throws -> Content
    ) {
        self.type = type
        self.contentEncoding = contentEncoding
        self.mayRepeat = mayRepeat
        self.makeContent = makeContent
    }

    /// Returns this body, encoded when the request is sent and not when it is built, outside the caller's actor.
    ///
    /// ```swift
    /// body = .encoded(type: .csv) { try table.csvData() }.encodedWhenSent()
    /// ```
    ///
    /// It keeps the main actor free while a large value is encoded. JSON of more than 32 KiB, from a
    /// ``/ErrandJSON/FastJSONEncoder``, needs no such call, but a patch does. The body is encoded once for each run of
    /// the request, before the interceptors. They see its bytes, and a retry sends the same bytes. The result of
    /// ``APIBase/buildURLRequest()`` does not contain the body yet.
    public func encodedWhenSent() -> RequestBody {
        var body = self
        body.isEncodedWhenSent = !isEmpty
        return body
    }

    /// Returns this body for a request whose method has no defined body: GET, HEAD, DELETE or TRACE (RFC 9110, section
    /// 9.3).
    ///
    /// ```swift
    /// body = .json(query).withAnyMethod()        // a GET request of Elasticsearch
    /// ```
    ///
    /// Without it, such a request fails with ``ErrandError/Code-swift.struct/unexpectedBody`` before anything is sent,
    /// because the method is probably wrong. Servers and proxies may ignore or reject such a body.
    public func withAnyMethod() -> RequestBody {
        var body = self
        body.fitsAnyMethod = true
        return body
    }

    /// Checks that the method may have a body.
    ///
    /// - Throws: ``ErrandError`` with `unexpectedBody`.
    func check(method: RequestMethod) throws(ErrandError) {
        if isEmpty || fitsAnyMethod { return }
        guard [.get, .head, .delete, RequestMethod(rawValue: "TRACE")].contains(method) else { return }
        throw ErrandError(
            .unexpectedBody,
            reason: "`body` is set, but `method` is \(method), which has no body; set another method, or use "
                + "`withAnyMethod()` of the body")
    }

    /// The maximum size in bytes of a body that a started request encodes when it is built: 32 KiB.
    private static let maximumSizeWhenBuilt = 32 << 10

    /// Returns the content of a request that is being built: the body itself, or a placeholder until the request is
    /// sent.
    ///
    /// - Parameters:
    ///   - isStarted: Whether the request is started, so that a long body can be encoded later.
    ///   - defaultEncoder: The encoder of the API.
    /// - Throws: The errors of ``content(_:)`` except ``LongBody``.
    func contentWhenBuilt(isStarted: Bool, _ defaultEncoder: any DataEncoder) throws -> Content {
        if isEmpty { return .none }
        let encoder = BodyEncoder(encoder: defaultEncoder)
        var placeholder: BodyStream { BodyStream(deferred: { try namedContent(encoder) }) }
        if isEncodedWhenSent { return .stream(placeholder) }
        do {
            // A body that exceeds the limit is encoded a second time when the request is sent.
            return try namedContent(isStarted && mayRepeat ? encoder.limited(to: Self.maximumSizeWhenBuilt) : encoder)
        } catch is LongBody {
            return .stream(placeholder)
        }
    }

    /// Creates the content of a request's body. Errors name the `body`.
    private func namedContent(_ encoder: BodyEncoder) throws -> Content {
        do { return try content(encoder) } catch let error as ErrandError { throw error.about("body") }
    }

    /// Creates the content of the body.
    ///
    /// - Parameter encoder: The encoder of the API, for a value without its own encoder.
    /// - Throws: ``ErrandError``, with `bodyEncodingFailed` for errors without their own code; ``LongBody`` for content
    ///   above the encoder's maximum size.
    func content(_ encoder: BodyEncoder) throws -> Content {
        guard let makeContent else { return .none }
        do {
            if let type, !type.isValid {
                throw ErrandError(.invalidHeaderField, reason: "the media type of the body is not valid")
            }
            return try makeContent(encoder)
        } catch let error as ErrandError {
            throw error
        } catch let error as LongBody {
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

    /// Creates a body from bytes, which are sent unchanged.
    public static func data(_ data: Data, type: ContentType? = .octetStream) -> RequestBody {
        RequestBody(type: type) { _ in .data(data) }
    }

    /// Creates a body from a text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text, which is sent unchanged.
    ///   - type: The media type; by default `text/plain; charset=utf-8`.
    public static func text(_ text: String, type: ContentType = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody(type: type) { _ in .data(Data(text.utf8)) }
    }

    /// Creates a body from a JSON value, such as a literal with values of several types.
    ///
    /// ```swift
    /// body = .json(["name": "Ursula", "age": 88])
    /// ```
    public static func json(_ value: JSONValue) -> RequestBody { json(value, encoder: nil) }

    /// Creates a body from a value, encoded as JSON (RFC 8259).
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`. The reason names the place, such as
    /// `things[0].score`, and never shows the value. An encoder that declares a type other than JSON
    /// (``/ErrandJSON/DataEncoder/contentType``) fails the request in the same way.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; `nil` uses the encoder of the API that sends the body. Do not change it after this
    ///     call.
    public static func json(_ value: some Encodable & Sendable, encoder: (any DataEncoder)? = nil) -> RequestBody {
        RequestBody(type: .json) { bodyEncoder in
            if let type = (encoder ?? bodyEncoder.encoder).contentType.flatMap(ContentType.init(_:)),
                type.subtype != "json", !type.subtype.hasSuffix("+json")
            {
                let reason = "the encoder writes \(type), not JSON: use .encoded(_:type:)"
                throw ErrandError(.bodyEncodingFailed, reason: reason)
            }
            return .data(try bodyEncoder.encode(value, with: encoder))
        }
    }

    /// Creates a body from a value, encoded as a property list.
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`.
    ///
    /// - Parameters:
    ///   - value: The value, which must be an object or an array at the top level.
    ///   - encoder: The encoder, by default for the binary format. Do not change it after this call.
    public static func propertyList(
        _ value: some Encodable & Sendable, encoder: PropertyListEncoder = PropertyListEncoder()
    ) -> RequestBody {
        .encoded(value, type: .propertyList, encoder: encoder)
    }

    /// Creates a body from a value, encoded in any format.
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
    ///   - type: The media type of the encoded bytes.
    ///   - encoder: The encoder; `nil` uses the encoder of the API that sends the body. Do not change it after this
    ///     call.
    public static func encoded(
        _ value: some Encodable & Sendable, type: ContentType?, encoder: (any DataEncoder)? = nil
    ) -> RequestBody {
        RequestBody(type: type) { bodyEncoder in .data(try bodyEncoder.encode(value, with: encoder)) }
    }

    /// Creates a body whose bytes a closure returns each time the request is built, or sent with
    /// ``encodedWhenSent()``.
    ///
    /// ```swift
    /// body = .encoded(type: .csv) { try table.csvData() }
    /// ```
    ///
    /// An ``ErrandError`` of the closure keeps its code. Any other error of the closure becomes the
    /// ``ErrandError/underlyingError`` of an ``ErrandError`` with `bodyEncodingFailed`.
    public static func encoded(type: ContentType?, _ encode: @escaping @Sendable () throws -> Data) -> RequestBody {
        RequestBody(type: type, mayRepeat: false) { _ in .data(try encode()) }
    }

    /// Creates a body from a file, which is read while it is sent. Its size is that of the file when the content is
    /// created.
    ///
    /// A file that is missing or not a regular file at that time fails the request with `bodyEncodingFailed`. A file
    /// that changes its size while it is sent fails the request with `bodyCountMismatch`.
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - type: The media type. `nil`, the default, derives it from the extension of the name; for an unknown
    ///     extension, it is `application/octet-stream`.
    public static func file(_ file: URL, type: ContentType? = nil) -> RequestBody {
        RequestBody(type: type ?? .guessed(for: file)) { _ in .stream(try BodyStream(file: file)) }
    }

    /// Creates a body from a range of bytes of a file, which are read while they are sent, for an upload in parts.
    ///
    /// If the file is missing when the content is created, or is too short, the request fails with
    /// `bodyEncodingFailed`. So does a request whose range begins below 0. If the file is truncated while it is sent,
    /// the request fails with `bodyCountMismatch`.
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - bytes: The range of bytes, counted from 0.
    ///   - type: The media type. `nil`, the default, derives it as for the whole file.
    public static func file(_ file: URL, bytes: Range<Int>, type: ContentType? = nil) -> RequestBody {
        RequestBody(type: type ?? .guessed(for: file)) { _ in .stream(try BodyStream(file: file, bytes: bytes)) }
    }

    /// Creates a body that is read while it is sent. A stream that can be read only once can be sent only once.
    public static func stream(_ stream: BodyStream, type: ContentType? = .octetStream) -> RequestBody {
        RequestBody(type: type) { _ in .stream(stream) }
    }
}

extension RequestBody: Confidential {
    /// The media type without its parameters, or `no type`. It never contains a byte of the body.
    public var description: String { type?.essence ?? "no type" }
    /// A mirror with only the description, so that `dump` shows nothing else either.
    public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}
