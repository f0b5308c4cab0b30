extension HeaderFields {
    /// The name of a header field: a registered name or any other token.
    ///
    /// ```swift
    /// headers[.ifNoneMatch] = tag
    /// headers["X-Tenant"] = "blue"
    /// ```
    ///
    /// Names are compared without regard to the case of ASCII letters (RFC 9110, section 5.1). If a name is not a
    /// token, building the request fails with ``ErrandError/Code-swift.struct/invalidHeaderField``.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name as written.
        public let rawValue: String

        /// Creates a name, which is not checked before the request is built.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a name, which is not checked before the request is built.
        public init(_ name: String) {
            self.init(rawValue: name)
        }

        /// Returns whether both are names of the same field.
        public static func == (one: Name, other: Name) -> Bool {
            one.rawValue.equalsIgnoringASCIICase(other.rawValue)
        }

        /// Hashes the name consistently with equality.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rawValue.asciiLowercased)
        }
    }
}

extension HeaderFields.Name: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Creates a name from a literal.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }

    /// Returns ``rawValue``.
    public var description: String { rawValue }
}

extension HeaderFields.Field {
    /// Creates a field; the name and the value are not checked before the request is built.
    public init(_ name: HeaderFields.Name, _ value: String) {
        self.init(name.rawValue, value)
    }
}

extension HeaderFields {
    /// The value of a field; `nil` if it is missing; see ``subscript(_:)-(String)``.
    public subscript(name: Name) -> String? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }

    /// All values of a field, one for each occurrence; see ``subscript(values:)-(String)``.
    public subscript(values name: Name) -> [String] {
        get { self[values: name.rawValue] }
        set { self[values: name.rawValue] = newValue }
    }

    /// Appends a field, and keeps fields of the same name.
    public mutating func add(_ name: Name, _ value: String) {
        add(name.rawValue, value)
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Creates fields in the order of the literal; a repeated name creates a repeated field.
    public init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}

extension HeaderFields.Name {
    /// The acceptable media types; see ``ContentType/accept(_:)-(ContentType...)``.
    public static let accept = HeaderFields.Name("Accept")
    /// The acceptable content codings.
    public static let acceptEncoding = HeaderFields.Name("Accept-Encoding")
    /// The preferred languages.
    public static let acceptLanguage = HeaderFields.Name("Accept-Language")
    /// Whether the server supports range requests.
    public static let acceptRanges = HeaderFields.Name("Accept-Ranges")
    /// The age of a cached response, in seconds.
    public static let age = HeaderFields.Name("Age")
    /// The methods that the resource supports.
    public static let allow = HeaderFields.Name("Allow")
    /// The credentials for the server.
    public static let authorization = HeaderFields.Name("Authorization")
    /// Directives for caches.
    public static let cacheControl = HeaderFields.Name("Cache-Control")
    /// Options for the connection.
    public static let connection = HeaderFields.Name("Connection")
    /// The intended use of the body and the name of its file (RFC 6266).
    public static let contentDisposition = HeaderFields.Name("Content-Disposition")
    /// The content codings of the body.
    public static let contentEncoding = HeaderFields.Name("Content-Encoding")
    /// The language of the body.
    public static let contentLanguage = HeaderFields.Name("Content-Language")
    /// The length of the body in bytes.
    public static let contentLength = HeaderFields.Name("Content-Length")
    /// The URL of the representation itself.
    public static let contentLocation = HeaderFields.Name("Content-Location")
    /// The range of a partial response.
    public static let contentRange = HeaderFields.Name("Content-Range")
    /// The media type of the body.
    public static let contentType = HeaderFields.Name("Content-Type")
    /// The cookies of the client (RFC 6265).
    public static let cookie = HeaderFields.Name("Cookie")
    /// The time when the message was created.
    public static let date = HeaderFields.Name("Date")
    /// The entity tag of this version of the representation.
    public static let etag = HeaderFields.Name("ETag")
    /// The behavior that the client expects of the server: `100-continue` requests a response before the body is sent.
    public static let expect = HeaderFields.Name("Expect")
    /// The time when the response becomes stale.
    public static let expires = HeaderFields.Name("Expires")
    /// The host and port of the URL.
    public static let host = HeaderFields.Name("Host")
    /// A key by which the server recognizes a repeated request.
    public static let idempotencyKey = HeaderFields.Name("Idempotency-Key")
    /// A condition: the entity tag is one of these.
    public static let ifMatch = HeaderFields.Name("If-Match")
    /// A condition: the representation was modified since this date.
    public static let ifModifiedSince = HeaderFields.Name("If-Modified-Since")
    /// A condition: the entity tag is none of these.
    public static let ifNoneMatch = HeaderFields.Name("If-None-Match")
    /// A condition for `Range`: sends the range if the representation is unchanged, and otherwise all of it.
    public static let ifRange = HeaderFields.Name("If-Range")
    /// A condition: the representation was not modified since this date.
    public static let ifUnmodifiedSince = HeaderFields.Name("If-Unmodified-Since")
    /// The time when the representation was last modified.
    public static let lastModified = HeaderFields.Name("Last-Modified")
    /// Links to other resources (RFC 8288).
    public static let link = HeaderFields.Name("Link")
    /// The target of a redirect, or the URL of a created resource.
    public static let location = HeaderFields.Name("Location")
    /// The origin that a request comes from (RFC 6454).
    public static let origin = HeaderFields.Name("Origin")
    /// Directives for HTTP/1.0 caches.
    public static let pragma = HeaderFields.Name("Pragma")
    /// The preferences of the client (RFC 7240).
    public static let prefer = HeaderFields.Name("Prefer")
    /// The authentication challenges of the proxy.
    public static let proxyAuthenticate = HeaderFields.Name("Proxy-Authenticate")
    /// The credentials for the proxy.
    public static let proxyAuthorization = HeaderFields.Name("Proxy-Authorization")
    /// The requested range.
    public static let range = HeaderFields.Name("Range")
    /// The URL of the page that contains the link.
    public static let referer = HeaderFields.Name("Referer")
    /// The time after which the client may send another request.
    public static let retryAfter = HeaderFields.Name("Retry-After")
    /// The software of the server.
    public static let server = HeaderFields.Name("Server")
    /// A cookie for the client to store (RFC 6265); joined values cannot be separated reliably.
    public static let setCookie = HeaderFields.Name("Set-Cookie")
    /// A policy that requires TLS for all connections to the host (RFC 6797).
    public static let strictTransportSecurity = HeaderFields.Name("Strict-Transport-Security")
    /// The acceptable transfer codings.
    public static let te = HeaderFields.Name("TE")
    /// The names of the trailer fields after the body.
    public static let trailer = HeaderFields.Name("Trailer")
    /// The transfer codings of the message.
    public static let transferEncoding = HeaderFields.Name("Transfer-Encoding")
    /// Another protocol to use on the connection.
    public static let upgrade = HeaderFields.Name("Upgrade")
    /// The software of the client.
    public static let userAgent = HeaderFields.Name("User-Agent")
    /// The request fields that affect the response.
    public static let vary = HeaderFields.Name("Vary")
    /// The proxies between the client and the server.
    public static let via = HeaderFields.Name("Via")
    /// The authentication challenges of the server.
    public static let wwwAuthenticate = HeaderFields.Name("WWW-Authenticate")
    /// An identifier of the request, for the logs of client and server.
    public static let requestID = HeaderFields.Name("X-Request-ID")
}
