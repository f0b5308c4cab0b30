/// A declarative request that sends and receives JSON. It has an `Accept` field, encodes its payload, and decodes the
/// response.
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
/// For an output of `String`, the body is a JSON string in quotes. `Data` is the unchanged body, and `Void` accepts any
/// body.
public protocol JSONRequest<Output>: DeclarativeRequest, PayloadName {
    /// The value to send as JSON, encoded when the request is sent. An optional without a value sends no body.
    ///
    /// A value that cannot be encoded fails the request with ``ErrandError/Code-swift.struct/bodyEncodingFailed``. A
    /// value whose type is not `Encodable` fails it with ``ErrandError/Code-swift.struct/invalidSetting``. Nothing is
    /// sent then.
    @_nonoverride var payload: Payload { get }
}

extension JSONRequest {
    /// The body of a request without `body`: the payload as JSON, encoded with the encoder of the request or the
    /// service; empty without a payload.
    var bodyOfPayload: RequestBody {
        guard let value = SettingReader.unwrapped(payload), !(value is NoSetting) else { return .empty }
        var body = RequestBody.json(DynamicallyEncodable(value: payload, name: "payload", owner: Self.self))
        body.property = "payload"
        return body
    }
}

extension JSONRequest where Payload == NoSetting {
    /// No payload.
    public var payload: NoSetting { NoSetting() }
}

extension JSONRequest where Output: Decodable & SendableMetatype, DecodedBody == DataResponse {
    /// Decodes the body with the decoder of the request or the service.
    public func decode(_ response: DataResponse) throws -> Output { try response.decode(Output.self) }
}

extension JSONRequest where Output == String, DecodedBody == DataResponse {
    /// Decodes the body as a JSON string, in quotes.
    public func decode(_ response: DataResponse) throws -> String {
        try response.decode(String.self)
    }
}

extension JSONRequest where Output == Data, DecodedBody == DataResponse {
    /// Returns the body unchanged.
    public func decode(_ response: DataResponse) throws -> Data { response.data }
}
