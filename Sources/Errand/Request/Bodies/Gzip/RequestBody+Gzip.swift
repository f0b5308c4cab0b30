extension RequestBody {
    /// This body compressed with gzip, and `Content-Encoding: gzip` said of it (RFC 9110, section 8.4.1.3).
    ///
    /// ```swift
    /// body = .json(report).gzipped()
    /// ```
    ///
    /// Data is compressed when the request is built, on the thread that starts it, and its count is known. A stream or
    /// file is compressed while it is sent, in bounded memory: its count is not known then, and it goes out in chunks. It
    /// can be sent again where the plain body can. No body stays none, and what is compressed already is not compressed
    /// twice.
    ///
    /// Not every server takes it: one that does not answers 415 (RFC 9110, section 15.5.16).
    ///
    /// On platforms without the system's zlib, which are all but Linux so far, the request fails with
    /// ``ErrandError/Code-swift.struct/unsupportedByTransport``.
    public func gzipped() -> RequestBody {
        guard contentEncoding == nil, !isEmpty else { return self }
        let body = RequestBody(type: type, contentEncoding: "gzip") { defaultEncoder in
            switch try content(defaultEncoder: defaultEncoder) {
            case .none: .none
            case .data(let data): .data(try data.gzipped())
            case .stream(let stream): .stream(try stream.gzipped())
            }
        }
        return isEncodedWhenSent ? body.encodedWhenSent() : body
    }
}
