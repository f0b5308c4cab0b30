/// Bytes to send: a file, data or a stream.
///
/// It has no description of the bytes, which may be secret.
public struct Upload: Sendable {
    fileprivate let part: @Sendable (_ name: String, _ expected: ContentType?) -> MultipartForm.Part
    fileprivate let body: @Sendable (_ expected: ContentType?) -> RequestBody
    /// The media type that the extension of the file indicates.
    fileprivate var guess = ContentType.octetStream

    /// Returns this guess if it is one of several media types, or else the first one that is not a range.
    fileprivate func type(among types: [ContentType]) -> ContentType? {
        types.contains { $0.includes(guess) } ? guess : types.first { $0.type != "*" && $0.subtype != "*" }
    }

    /// Creates an upload of a file, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - fileName: The name of the file in a form; `nil`, the default, uses the last component of the URL.
    ///   - type: The media type; `nil`, the default, uses the one that the API expects.
    public static func file(_ url: URL, fileName: String? = nil, type: ContentType? = nil) -> Upload {
        Upload(
            part: { .file($0, url, fileName: fileName, type: type ?? $1) }, body: { .file(url, type: type ?? $0) },
            guess: .guessed(for: url))
    }

    /// Creates an upload of data.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - fileName: The name of the file in a form; by default `file`.
    ///   - type: The media type; `nil`, the default, uses the one that the API expects.
    public static func data(_ data: Data, fileName: String? = "file", type: ContentType? = nil) -> Upload {
        Upload(
            part: { .data($0, data, fileName: fileName, type: type ?? $1 ?? .octetStream) },
            body: { .data(data, type: type ?? $0 ?? .octetStream) })
    }

    /// Creates an upload of a stream, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - stream: The bytes.
    ///   - fileName: The name of the file in a form; by default `file`.
    ///   - type: The media type; `nil`, the default, uses the one that the API expects.
    public static func stream(_ stream: BodyStream, fileName: String? = "file", type: ContentType? = nil) -> Upload {
        Upload(
            part: { .stream($0, stream, fileName: fileName, type: type ?? $1 ?? .octetStream) },
            body: { .stream(stream, type: type ?? $0 ?? .octetStream) })
    }
}

extension RequestBody {
    /// Creates a body of an upload, with the media type that the API expects unless the upload has its own.
    public static func upload(_ upload: Upload, type: ContentType? = nil) -> RequestBody { upload.body(type) }

    /// Creates a body with a JSON text for each value: in a line, and after a record separator if the media type is
    /// `application/json-seq` (RFC 7464). A value that cannot be encoded fails the request.
    public static func jsonTexts(_ values: [some Encodable & Sendable], type: ContentType) -> RequestBody {
        .encoded(type: type) {
            var data = Data()
            for value in values {
                if type.subtype == "json-seq" { data.append(0x1E) }
                data += try FastJSONEncoder.openAPI.encode(value)
                data.append(UInt8(ascii: "\n"))
            }
            return data
        }
    }
}

/// The parts of generated forms. `nil` appends nothing. `type` is the media type that the API expects; `headers` are
/// additional header fields of each part.
extension MultipartForm {
    /// Appends a file. Its own media type is preferred.
    public mutating func append(
        _ name: String, _ upload: Upload?, type: ContentType? = nil, headers: HeaderFields = [:]
    ) {
        if let upload { append(upload.part(name, type), headers: headers) }
    }

    /// Appends a file with one of several media types, which can be ranges. Its own media type is preferred. A file
    /// without one has that of its extension, if that is one of them, or else the first one that is not a range.
    public mutating func append(
        _ name: String, _ upload: Upload?, types: [ContentType], headers: HeaderFields = [:]
    ) {
        append(name, upload, type: upload?.type(among: types), headers: headers)
    }

    /// Appends several files of the same name, each with one of several media types.
    public mutating func append(
        _ name: String, _ uploads: [Upload]?, types: [ContentType], headers: HeaderFields = [:]
    ) {
        for upload in uploads ?? [] { append(name, upload, types: types, headers: headers) }
    }

    /// Appends several files of the same name.
    public mutating func append(
        _ name: String, _ uploads: [Upload]?, type: ContentType? = nil, headers: HeaderFields = [:]
    ) {
        for upload in uploads ?? [] { append(name, upload, type: type, headers: headers) }
    }

    /// Appends a text. A date has a fraction if its milliseconds are not zero, as in JSON.
    public mutating func append<Value: QueryValueConvertible>(
        _ name: String, _ value: Value?, type: ContentType? = nil, headers: HeaderFields = [:]
    ) {
        let date = (value as? Date).map { RFC3339.text($0) }
        if let text = date ?? value?.queryValue.text { append(.text(name, text), type: type, headers: headers) }
    }

    /// Appends several texts of the same name.
    public mutating func append<Element: QueryValueConvertible>(
        _ name: String, _ values: [Element]?, type: ContentType? = nil, headers: HeaderFields = [:]
    ) {
        for value in values ?? [] { append(name, value, type: type, headers: headers) }
    }

    /// Appends the text of a value that is encoded as a text, a number or a Boolean, and a JSON text of an object. Each
    /// element of an array is a part. A value that cannot be encoded fails the request.
    public mutating func append(
        _ name: String, encoding value: (some Encodable & Sendable)?, type: ContentType? = nil,
        headers: HeaderFields = [:]
    ) {
        guard let value else { return }
        guard let json = try? JSONValue(encoding: value, encoder: .openAPI) else {
            return append(name, json: value, type: type, headers: headers)
        }
        let values = if case .array(let elements) = json { elements } else { [json] }
        for value in values {
            let isObject = if case .object = value { true } else { false }
            append(isObject ? .json(name, value) : .text(name, value.parameterText), type: type, headers: headers)
        }
    }

    /// Appends several JSON texts of the same name.
    public mutating func append<Element: Encodable & Sendable>(
        _ name: String, json values: [Element]?, type: ContentType? = nil, headers: HeaderFields = [:]
    ) {
        for value in values ?? [] { append(.json(name, value), type: type, headers: headers) }
    }

    /// Appends a JSON text.
    public mutating func append(
        _ name: String, json value: (some Encodable & Sendable)?, type: ContentType? = nil, headers: HeaderFields = [:]
    ) {
        if let value { append(.json(name, value), type: type, headers: headers) }
    }

    private mutating func append(_ part: Part, type: ContentType? = nil, headers: HeaderFields) {
        var headers = headers
        if let type { headers[.contentType] = type.description }
        parts.append(headers.isEmpty ? part : part.with(headers: headers))
    }
}
