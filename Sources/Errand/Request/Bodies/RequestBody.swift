/// What a request sends: how its bytes are made, and what media type they are of.
///
/// ```swift
/// body = .json(book)
/// body = .urlEncoded(["grant_type": "client_credentials", "scope": "read"])
/// body = .file(archive)
/// ```
///
/// It is a recipe: nothing is encoded, and no file looked at, before the request is built. What fails then fails the
/// request with ``ErrandError/Code-swift.struct/bodyEncodingFailed``, and nothing is sent.
public struct RequestBody: Sendable {
    /// What is put into the request.
    enum Content: Sendable {
        case none
        case data(Data)
        case stream(BodyStream)
    }

    /// The `Content-Type`; nil where there is none to be said. A field of that name in the request's headers wins.
    public let type: MediaType?
    /// The `Content-Encoding`; nil where the bytes are as they are. A field of that name in the request's headers wins.
    let contentEncoding: String?
    /// Nil for no body.
    private let makeContent: (@Sendable () throws -> Content)?

    private init() {
        type = nil
        contentEncoding = nil
        makeContent = nil
    }

    /// A body of this type, made by a closure each time the request is built.
    init(
        type: MediaType?, contentEncoding: String? = nil, makeContent: @escaping @Sendable () throws -> Content
    ) {
        self.type = type
        self.contentEncoding = contentEncoding
        self.makeContent = makeContent
    }

    /// Encodes the body.
    ///
    /// - Throws: ``ErrandError``, with `bodyEncodingFailed` where the recipe has no code of its own.
    func content() throws(ErrandError) -> Content {
        guard let makeContent else { return .none }
        do {
            if let type, !type.isValid {
                throw ErrandError(.invalidHeaderField, reason: "the body's type is no media type")
            }
            return try makeContent()
        } catch let error as ErrandError {
            throw error
        } catch {
            throw ErrandError(.bodyEncodingFailed, underlyingError: error)
        }
    }
}

extension RequestBody {
    /// No body.
    public static var empty: RequestBody { RequestBody() }

    /// These bytes, as they are.
    public static func data(_ data: Data, type: MediaType? = .octetStream) -> RequestBody {
        RequestBody(type: type) { .data(data) }
    }

    /// A text in UTF-8, as `text/plain; charset=utf-8`.
    public static func text(_ text: String) -> RequestBody {
        RequestBody(type: "text/plain; charset=utf-8") { .data(Data(text.utf8)) }
    }

    /// A value as JSON, encoded when the request is built.
    ///
    /// - Parameters:
    ///   - value: What is sent.
    ///   - encoder: Must not be changed any more.
    public static func json(
        _ value: some Encodable & Sendable, encoder: JSONEncoder = JSONEncoder()
    ) -> RequestBody {
        .encoded(type: .json) { try encoder.encode(value) }
    }

    /// The bytes that a closure gives, which is called each time the request is built: for encoders of your own.
    ///
    /// ```swift
    /// body = .encoded(type: "application/x-plist") { try PropertyListEncoder().encode(settings) }
    /// ```
    ///
    /// What it throws becomes the cause of an ``ErrandError`` with `bodyEncodingFailed`.
    public static func encoded(type: MediaType?, _ encode: @escaping @Sendable () throws -> Data) -> RequestBody {
        RequestBody(type: type) { .data(try encode()) }
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
    public static func file(_ file: URL, type: MediaType? = nil) -> RequestBody {
        RequestBody(type: type ?? .guessed(for: file)) { .stream(try BodyStream(file: file)) }
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
    public static func file(_ file: URL, bytes: Range<Int>, type: MediaType? = nil) -> RequestBody {
        RequestBody(type: type ?? .guessed(for: file)) { .stream(try BodyStream(file: file, bytes: bytes)) }
    }

    /// A body that is read while it is sent; what can be read once can be sent once.
    public static func stream(_ stream: BodyStream, type: MediaType? = .octetStream) -> RequestBody {
        RequestBody(type: type) { .stream(stream) }
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
