extension RequestBody {
    /// Returns this body compressed with gzip, and sent with `Content-Encoding: gzip` (RFC 9110, section 8.4.1.3).
    ///
    /// ```swift
    /// body = .json(report).gzipped()
    /// ```
    ///
    /// Data is compressed before it is sent, and its size is known. More than 32 KiB of data are compressed outside the
    /// caller's actor, when the request is sent, unless a closure returns them. A stream or file is compressed while it
    /// is sent, in bounded memory. Its size is then not known, and it is sent in chunks. It can be sent again if the
    /// uncompressed body can.
    ///
    /// The body ``empty`` stays empty, but data of zero bytes is compressed. A compressed body is not compressed again.
    ///
    /// A server that does not support gzip responds with status 415 (RFC 9110, section 15.5.16).
    public func gzipped() -> RequestBody {
        guard contentEncoding == nil, !isEmpty else { return self }
        let body = RequestBody(type: type, contentEncoding: "gzip", mayRepeat: mayRepeat) { encoder in
            switch try content(encoder) {
            case .none: .none
            case .data(let data): .data(try encoder.compress(data))
            case .stream(let stream): .stream(try stream.gzipped())
            }
        }
        return isEncodedWhenSent ? body.encodedWhenSent() : body
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
        BodyStream(of: [self], count: nil) {
            let reading = try GzipReader(self)
            return { try await reading.next() }
        }
    }
}

/// A reader that compresses a stream while it is read.
///
/// It is an actor because it holds partly encoded data. It reads one piece at a time.
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
