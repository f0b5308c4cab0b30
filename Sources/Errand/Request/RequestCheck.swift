/// The checks of a request before it is sent. They apply to every request, including those that stubs respond to.
enum RequestCheck {
    /// Checks a whole request.
    ///
    /// - Parameter bodyStream: The body that is read while it is sent; `nil` for data or no body.
    /// - Throws: ``ErrandError`` with the code for the invalid part.
    static func check(_ request: URLRequest, bodyStream: BodyStream?) throws(ErrandError) {
        try check(url: request.url)
        try check(method: request.httpMethod ?? "GET")
        guard request.httpBody == nil || bodyStream == nil else {
            throw ErrandError(.bodyCountMismatch, reason: "the request has both a body and a body stream")
        }
        guard request.timeoutInterval > 0 else {
            throw ErrandError(.invalidTimeout, reason: "`timeoutInterval` must be a number above zero")
        }
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            try check(field: HeaderFields.Field(name, value))
            if name.equalsIgnoringASCIICase("Content-Length") {
                try check(contentLength: value, of: request, bodyStream: bodyStream)
            } else if name.equalsIgnoringASCIICase("Transfer-Encoding") {
                throw ErrandError(.invalidHeaderField, reason: "Transfer-Encoding is set by the transport")
            }
        }
    }

    /// Checks header fields that are set together, of which some must not be repeated.
    static func check(fields: HeaderFields) throws(ErrandError) {
        for field in fields { try check(field: field) }
        guard fields.count > 1 else { return }
        for name in singletons where fields.count(where: { $0.name.equalsIgnoringASCIICase(name) }) > 1 {
            throw ErrandError(.invalidHeaderField, reason: "\(name) is set more than once")
        }
    }

    /// The fields of a request that have one value, which is not a list (RFC 9110, section 5.3).
    private static let singletons = [
        "Authorization", "Content-Length", "Content-Type", "Date", "From", "Host", "If-Modified-Since", "If-Range",
        "If-Unmodified-Since", "Max-Forwards", "Origin", "Proxy-Authorization", "Range", "Referer", "User-Agent",
    ]

    /// Checks one header field. Foundation drops some invalid fields and sends others.
    static func check(field: HeaderFields.Field) throws(ErrandError) {
        guard field.name.isHTTPToken else {
            throw ErrandError(.invalidHeaderField, reason: "the name of a header field is not a token")
        }
        guard field.value.isHTTPFieldValue else {
            throw ErrandError(.invalidHeaderField, reason: "the value of \(field.name) has a control character")
        }
        if field.name.equalsIgnoringASCIICase("Host"), field.value.contains(where: { " \t,/?#@".contains($0) }) {
            throw ErrandError(.invalidHeaderField, reason: "the value of Host must be one host, with an optional port")
        }
    }

    /// Checks a header field that an observer adds. The others of the request are checked by then.
    static func check(added field: HeaderFields.Field) throws(ErrandError) {
        try check(field: field)
        guard !["content-length", "host", "transfer-encoding"].contains(field.name.lowercased()) else {
            throw ErrandError(.invalidHeaderField, reason: "an observer cannot set \(field.name)")
        }
    }

    /// Checks a method. Foundation writes any text into the request line.
    static func check(method: String) throws(ErrandError) {
        guard method.isHTTPToken else {
            throw ErrandError(.invalidMethod, reason: "`method` is not a token")
        }
    }

    private static func check(url: URL?) throws(ErrandError) {
        guard url?.isHTTP == true else {
            throw ErrandError(.invalidURL, reason: "the URL must have the scheme http or https, and a host")
        }
    }

    private static func check(
        contentLength declared: String, of request: URLRequest, bodyStream: BodyStream?
    ) throws(ErrandError) {
        guard declared.utf8.allSatisfy(\.isDigit), let count = Int(declared) else {
            throw ErrandError(.bodyCountMismatch, reason: "Content-Length is not a number of bytes")
        }
        // `nil` for a stream of unknown size, whose number of bytes is not compared.
        let actual: Int? = if let bodyStream { bodyStream.count } else { request.httpBody?.count ?? 0 }
        if let actual, actual != count {
            throw ErrandError(
                .bodyCountMismatch, reason: "Content-Length says \(count), the body has \(actual) bytes")
        }
    }
}

extension URL {
    /// Whether this has the scheme http or https, and a host. It reads the text of the URL, because parsing a URL costs
    /// more than the rest of building a request.
    var isHTTP: Bool {
        absoluteString.withBytes { bytes in
            // With another scheme, the authority is empty.
            let start = bytes.begins(with: "http://") ? 7 : bytes.begins(with: "https://") ? 8 : bytes.count
            let authority = bytes[start...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }  // Until /, ? or #.
            let host = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
            return host < authority.endIndex && authority[host] != UInt8(ascii: ":")
        }
    }
}
