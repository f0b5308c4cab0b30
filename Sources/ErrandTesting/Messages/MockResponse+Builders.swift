public import Errand

extension MockResponse {
    /// A response without a body: `.status(201, headers: ["Location": "/books/7"])`.
    public static func status(_ statusCode: Int, headers: HeaderFields = [:]) -> MockResponse {
        MockResponse(statusCode: statusCode, headers: headers)
    }

    /// A response with a JSON body that is already encoded.
    public static func status(_ statusCode: Int, json data: Data) -> MockResponse {
        json(data, statusCode: statusCode)
    }

    /// A response with a JSON object: `.status(201, json: ["id": 7])`.
    public static func status(_ statusCode: Int, json members: JSONValue.Object) -> MockResponse {
        json(members, statusCode: statusCode)
    }

    /// A response with UTF-8 text.
    public static func text(_ text: String, statusCode: Int = 200) -> MockResponse {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", statusCode: statusCode)
    }

    /// A response with encoded JSON. The bytes are not checked.
    public static func json(_ data: Data, statusCode: Int = 200) -> MockResponse {
        .data(data, contentType: "application/json", statusCode: statusCode)
    }

    /// A response with JSON as text: `.json(#"[{"title": "Malafrena"}]"#)`. The text is not checked.
    public static func json(_ text: String, statusCode: Int = 200) -> MockResponse {
        json(Data(text.utf8), statusCode: statusCode)
    }

    /// A response with a JSON object: `.json(["title": "Malafrena"])`.
    public static func json(_ members: JSONValue.Object, statusCode: Int = 200) -> MockResponse {
        json(Data(JSONValue.object(members).description.utf8), statusCode: statusCode)
    }

    /// A response with a value as JSON.
    ///
    /// - Throws: The errors of the encoder.
    public static func json(
        encodable value: some Encodable, encoder: some DataEncoder = FastJSONEncoder(), statusCode: Int = 200
    ) throws -> MockResponse {
        json(try encoder.encode(value), statusCode: statusCode)
    }

    /// A response with bytes of a media type, and their `Content-Length`.
    public static func data(_ data: Data, contentType: String, statusCode: Int = 200) -> MockResponse {
        MockResponse(statusCode: statusCode, headers: ["Content-Type": contentType], body: .sized(data))
    }

    /// A response with the content of a file and its media type.
    ///
    /// ```swift
    /// server.enqueue(try .fixture(Fixture("Fixtures/books.json")))
    /// ```
    public static func fixture(_ fixture: Fixture, statusCode: Int = 200) -> MockResponse {
        data(fixture.data, contentType: fixture.contentType.description, statusCode: statusCode)
    }

    /// A response with a chunked body. Set its media type with ``with(header:_:)``.
    public static func chunked(_ chunks: [Data], trailers: HeaderFields = [:]) -> MockResponse {
        MockResponse(body: .chunked(chunks, trailers: trailers))
    }

    /// A response with a chunked body that continues until the closure returns `nil`. Set its media type with
    /// ``with(header:_:)``.
    public static func stream(_ chunks: @escaping Chunks) -> MockResponse {
        MockResponse(body: .stream(chunks))
    }

    /// A response of exactly these bytes, including the head. The connection is closed after it.
    public static func raw(_ bytes: Data) -> MockResponse {
        var response = MockResponse()
        response.raw = bytes
        response.closesConnection = true
        return response
    }

    /// A response of exactly this text in UTF-8, including the head. The connection is closed after it.
    public static func raw(_ text: String) -> MockResponse {
        raw(Data(text.utf8))
    }

    /// This response, sent with a fault.
    public func with(fault: MockFault) -> MockResponse {
        changing { $0.fault = fault }
    }

    /// This response with an additional header field. Existing fields of the same name stay.
    public func with(header name: String, _ value: String) -> MockResponse {
        changing { $0.headers.add(name, value) }
    }

    /// This response with additional header fields. Existing fields of the same names stay.
    ///
    /// ```swift
    /// .status(202).with(headers: [.location: "/jobs/7", "X-Queue": "slow"])
    /// ```
    public func with(headers: HeaderFields) -> MockResponse {
        changing { response in
            for field in headers { response.headers.add(field.name, field.value) }
        }
    }

    /// This response with another status code and its standard reason phrase.
    public func with(statusCode: Int) -> MockResponse {
        changing { $0.statusCode = statusCode }
    }

    /// This response with another reason phrase, or without one.
    public func with(reason: String?) -> MockResponse {
        changing { $0.reason = reason }
    }

    /// This response with the connection closed after it, or kept open, also for ``raw(_:)-(Data)``.
    public func with(closesConnection: Bool) -> MockResponse {
        changing { $0.closesConnection = closesConnection }
    }

    private func changing(_ change: (inout MockResponse) -> Void) -> MockResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
