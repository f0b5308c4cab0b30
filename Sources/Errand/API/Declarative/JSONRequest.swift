/// A declarative request that speaks JSON: it asks for it, decodes it with settings of its own, and sends its payload so.
///
/// ```swift
/// struct AddBook: JSONRequest {
///     typealias Output = Book
///     let payload: Draft
///     let method = HTTPMethod.post
///     let path: RequestPath = "/books"
/// }
///
/// let book = try await AddBook(payload: draft).schedule(with: Library()).value
/// ```
///
/// An output of `String` is a string of JSON here, in quotes; `Data` is the body as it is, and `Void` takes any.
public protocol JSONRequest<Output>: DeclarativeRequest {
    /// What is sent as JSON; nothing by default.
    associatedtype Payload: Encodable & Sendable = NoPayload

    /// What is sent as JSON, encoded when the request is built; an optional that is nil sends no body.
    ///
    /// A value that cannot be encoded fails with ``ErrandError/Code-swift.struct/bodyEncodingFailed``, and nothing is
    /// sent.
    var payload: Payload { get }
    /// What encodes the payload; without settings by default.
    var encoder: JSONEncoder { get }
    /// What decodes the answer; without settings by default.
    var decoder: JSONDecoder { get }
}

/// The payload of a ``JSONRequest`` that sends no body.
public struct NoPayload: Encodable, Hashable, Sendable {
    /// Nothing.
    public init() {}
}

extension JSONRequest {
    /// One without settings.
    public var encoder: JSONEncoder { JSONEncoder() }
    /// One without settings.
    public var decoder: JSONDecoder { JSONDecoder() }
    /// `Accept: application/json`.
    public var defaultHeaders: HTTPHeaders { [.accept: "application/json"] }
    /// The payload as JSON, as `application/json`; empty where there is none.
    public var body: RequestBody { payload.isAbsent ? .empty : .json(payload, encoder: encoder) }
}

extension JSONRequest where Payload == NoPayload {
    /// Nothing.
    public var payload: NoPayload { NoPayload() }
}

extension JSONRequest where Output: Decodable & SendableMetatype {
    /// The body as JSON.
    public func decode(_ response: DataResponse) throws -> Output {
        try response.decode(Output.self, decoder: decoder)
    }
}

extension JSONRequest where Output == String {
    /// The body as a string of JSON, in quotes.
    public func decode(_ response: DataResponse) throws -> String {
        try response.decode(String.self, decoder: decoder)
    }
}

extension JSONRequest where Output == Data {
    /// The body as it is.
    public func decode(_ response: DataResponse) throws -> Data { response.data }
}

/// A payload that may be none.
private protocol AbsentPayload {
    var isNone: Bool { get }
}

extension NoPayload: AbsentPayload {
    fileprivate var isNone: Bool { true }
}

extension Optional: AbsentPayload {
    fileprivate var isNone: Bool { self == nil }
}

extension Encodable {
    fileprivate var isAbsent: Bool { (self as? any AbsentPayload)?.isNone == true }
}
