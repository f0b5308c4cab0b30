import CCompression

extension RequestBody {
    /// Creates a body from the fields of a form, as `application/x-www-form-urlencoded`, in order, with the WHATWG's
    /// serializer.
    ///
    /// ```swift
    /// body = .urlEncoded(["query": text, "start": date, "step": 5, "tag": ["one", "two"]])
    /// ```
    ///
    /// A space becomes `+`. Letters, digits and `*-._` are kept; every other byte of the UTF-8 is escaped. Arrays,
    /// nested members, dates and Booleans are written in the styles of the query. A field without a value is written
    /// like one with an empty value, because the format cannot distinguish them.
    ///
    /// A value that cannot be written fails the request with `bodyEncodingFailed`. The reason names the field.
    public static func urlEncoded(_ fields: URLQuery) -> RequestBody {
        RequestBody(type: .formURLEncoded) { _ in .data(Data(try fields.encoded(as: .form).utf8)) }
    }

    /// Creates a body from the members of an object, as `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// body = .urlEncoded(encoding: TokenRequest(grantType: "client_credentials"))
    /// ```
    ///
    /// The members are written as by ``URLQuery/init(encoding:lists:nesting:dates:booleans:)`` with its default styles.
    /// For other styles, pass such a query to ``urlEncoded(_:)``.
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`.
    public static func urlEncoded(encoding value: some Encodable & Sendable) -> RequestBody {
        RequestBody(type: .formURLEncoded) { _ in
            let fields = URLQuery(items: try QueryEncoder.items(of: value))
            return .data(Data(try fields.encoded(as: .form).utf8))
        }
    }
}

extension RequestBody {
    /// Creates a body from a list of changes, as `application/json-patch+json` (RFC 6902).
    public static func jsonPatch(_ patch: JSONPatch) -> RequestBody {
        RequestBody(type: .jsonPatch) { _ in .data(try patchEncoder.encode(patch)) }
    }

    /// Creates a body from a document with the changes, as `application/merge-patch+json` (RFC 7396).
    public static func mergePatch(_ patch: JSONMergePatch) -> RequestBody {
        RequestBody(type: .mergePatchJSON) { _ in .data(try patchEncoder.encode(patch)) }
    }

    /// An encoder that does not escape slashes, because the paths of a patch contain many. It is used without the
    /// maximum size of a ``BodyEncoder``, so a long patch is not left for later.
    private static var patchEncoder: FastJSONEncoder { FastJSONEncoder(formatting: .withoutEscapingSlashes) }

    /// Creates a body from an image, whose first bytes determine its media type: PNG, JPEG, GIF or WebP.
    ///
    /// Any other data fails the request with `bodyEncodingFailed`. To send an image of another format, use
    /// ``data(_:type:)``.
    public static func image(_ image: Data) -> RequestBody {
        let type = ContentType(sniffingImage: image)
        return RequestBody(type: type) { _ in
            guard type != nil else {
                throw ErrandError(.bodyEncodingFailed, reason: "the image is not a PNG, JPEG, GIF or WebP file")
            }
            return .data(image)
        }
    }
}

extension ContentType {
    /// Detects the format as the WHATWG's MIME Sniffing standard does (section 6.1); `nil` for any other data.
    fileprivate init?(sniffingImage image: Data) {
        let start = Array(image.prefix(14))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).elementsEqual("WEBPVP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}

extension RequestBody {
    /// Returns this body compressed with gzip, and sent with `Content-Encoding: gzip` (RFC 9110, section 8.4.1.3).
    ///
    /// ```swift
    /// body = .json(report).gzipped()
    /// ```
    ///
    /// Data is compressed before it is sent, and its size is known. More than 32 KiB of data are compressed outside the
    /// caller's actor, when the request is sent, unless a closure returns them. A stream or file is compressed while it
    /// is read. ``CurlTransport`` needs bounded memory for it, and sends it in chunks, because its size is not known.
    /// It can be sent again if the uncompressed body can.
    ///
    /// The body ``empty`` stays empty, but data of zero bytes is compressed. A compressed body is not compressed again.
    ///
    /// A server that does not support gzip responds with status 415 (RFC 9110, section 15.5.16).
    public func gzipped() -> RequestBody {
        guard contentEncoding == nil, !isEmpty else { return self }
        var body = RequestBody(type: type, contentEncoding: "gzip", mayRepeat: mayRepeat) { encoder in
            switch try content(encoder) {
            case .none: .none
            case .data(let data): .data(try encoder.compress(data))
            case .stream(let stream): .stream(try stream.gzipped())
            }
        }
        if isEncodedWhenSent { body = body.encodedWhenSent() }
        return fitsAnyMethod ? body.withAnyMethod() : body
    }
}

extension Data {
    func gzipped() throws -> Data {
        var encoder = try GzipEncoder()
        var encoded = Data()
        encoder.add(self)
        while !encoder.isWhole {
            if encoder.wantsMore { encoder.add(nil) }
            encoded.append(try encoder.next())
        }
        return encoded
    }
}

extension BodyStream {
    func gzipped() throws -> BodyStream {
        BodyStream(of: [self], count: nil, trailers: trailers) {
            let reading = try GzipReader(self)
            return { try await reading.next() }
        }
    }
}

/// A reader that compresses a stream while it is read.
///
/// It is an actor because it holds partly encoded data. Calls must not overlap.
private actor GzipReader {
    private let read: BodyStream.Reader
    private var encoder: GzipEncoder

    init(_ stream: BodyStream) throws {
        encoder = try GzipEncoder()
        read = try stream.open()
    }

    func next() async throws -> Data? {
        while !encoder.isWhole {
            if encoder.wantsMore { encoder.add(try await read()) }
            let piece = try encoder.next()
            if !piece.isEmpty { return piece }
        }
        return nil
    }
}

/// An encoder of gzip (RFC 1952) that takes and returns pieces.
struct GzipEncoder: ~Copyable {
    /// The error of a failure in zlib.
    struct Failed: Error {}

    private let encoder: OpaquePointer
    /// The memory for one piece of output.
    private let output: UnsafeMutableBufferPointer<UInt8>
    /// The bytes that are not encoded yet.
    private var rest = Data()
    /// Whether the end of the input was added.
    private var hasEnded = false
    /// Whether the whole output was returned, including its end.
    private(set) var isWhole = false

    /// - Throws: ``Failed`` if memory cannot be allocated.
    init() throws(Failed) {
        guard let encoder = cencoder_create() else { throw Failed() }
        self.encoder = encoder
        output = .allocate(capacity: 65_536)
    }

    deinit {
        cencoder_destroy(encoder)
        output.deallocate()
    }

    /// Whether ``next()`` needs input from ``add(_:)`` first.
    var wantsMore: Bool { rest.isEmpty && !hasEnded }

    /// Adds the next piece, or `nil` for the end. Call it only when ``wantsMore`` is `true`; otherwise, bytes that are
    /// not encoded yet are lost.
    mutating func add(_ piece: Data?) {
        rest = piece ?? Data()
        hasEnded = piece == nil
    }

    /// Encodes a part of the remaining bytes.
    ///
    /// - Returns: At most 64 KiB; empty if another piece is needed.
    mutating func next() throws(Failed) -> Data {
        var to = output.baseAddress
        var room = output.count
        let (result, left) = rest.withUnsafeBytes { bytes in
            var from = bytes.bindMemory(to: UInt8.self).baseAddress
            var left = bytes.count
            // The call advances both pointers, and reduces both counts.
            return (cencoder_encode(encoder, &from, &left, hasEnded, &to, &room), left)
        }
        guard result != CENCODER_FAILED else { throw Failed() }
        isWhole = result == CENCODER_END
        rest = left == 0 ? Data() : rest.suffix(left)
        return Data(output[..<(output.count - room)])
    }
}
