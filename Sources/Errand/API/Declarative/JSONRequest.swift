/// A declarative request that sends and receives JSON: it has an `Accept` field, decodes the response, and encodes its
/// payload.
///
/// ```swift
/// struct AddBook: JSONRequest {
///     typealias Output = Book
///     let payload: Draft
///     let method = RequestMethod.post
///     let path: RequestPath = "/books"
/// }
///
/// let book = try await AddBook(payload: draft).schedule(with: Library()).value
/// ```
///
/// An output of `String` is a JSON string here, in quotes; `Data` is the body as it is, and `Void` accepts any.
public protocol JSONRequest<Output>: DeclarativeRequest {
    /// The type of the value that is sent as JSON, which is `Encodable`; nothing by default.
    associatedtype Payload: Sendable = NoPayload

    /// The value that is sent as JSON, encoded when the request is built; an optional without a value sends no body.
    ///
    /// A value that cannot be encoded fails the request with ``ErrandError/Code-swift.struct/bodyEncodingFailed``, and one whose type
    /// is not `Encodable` with ``ErrandError/Code-swift.struct/invalidSetting``; nothing is sent.
    var payload: Payload { get }
}

/// The payload of a ``JSONRequest`` that sends no body.
public struct NoPayload: Encodable, Hashable, Sendable {
    /// Nothing.
    public init() {}
}

extension JSONRequest where DefaultHeadersSetting == HeaderFields {
    /// `Accept: application/json`.
    public var defaultHeaders: HeaderFields { [.accept: "application/json"] }
}

extension JSONRequest where BodySetting == RequestBody {
    /// The payload as JSON, by the encoder of the request or the service; empty without a payload.
    public var body: RequestBody {
        if (payload as? any AbsentPayload)?.isNone == true { return .empty }
        var body = RequestBody.json(DynamicallyEncodable(value: payload, name: "payload", owner: Self.self))
        body.property = "payload"
        return body
    }
}

extension JSONRequest where Payload == NoPayload {
    /// Nothing.
    public var payload: NoPayload { NoPayload() }
}

extension JSONRequest where Output: Decodable & SendableMetatype {
    /// The body as a value, by the decoder of the request or the service.
    public func decode(_ response: DataResponse) throws -> Output { try response.decode(Output.self) }
}

extension JSONRequest where Output == String {
    /// The body as a string of JSON, in quotes.
    public func decode(_ response: DataResponse) throws -> String {
        try response.decode(String.self)
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
