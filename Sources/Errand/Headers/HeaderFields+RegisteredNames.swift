extension HeaderFields.Name {
    /// The media types that are wanted; see ``ContentType/accept(_:)-(ContentType...)``.
    public static let accept = HeaderFields.Name("Accept")
    /// The content codings that are understood.
    public static let acceptEncoding = HeaderFields.Name("Accept-Encoding")
    /// The languages that are wanted.
    public static let acceptLanguage = HeaderFields.Name("Accept-Language")
    /// Whether the server can send parts.
    public static let acceptRanges = HeaderFields.Name("Accept-Ranges")
    /// How old a cached answer is, in seconds.
    public static let age = HeaderFields.Name("Age")
    /// The methods that the resource has.
    public static let allow = HeaderFields.Name("Allow")
    /// The credentials for the server.
    public static let authorization = HeaderFields.Name("Authorization")
    /// What caches may do.
    public static let cacheControl = HeaderFields.Name("Cache-Control")
    /// Options of the connection.
    public static let connection = HeaderFields.Name("Connection")
    /// How the body is meant to be shown, and a file's name (RFC 6266).
    public static let contentDisposition = HeaderFields.Name("Content-Disposition")
    /// The content codings of the body.
    public static let contentEncoding = HeaderFields.Name("Content-Encoding")
    /// The language of the body.
    public static let contentLanguage = HeaderFields.Name("Content-Language")
    /// The length of the body in bytes.
    public static let contentLength = HeaderFields.Name("Content-Length")
    /// Where the representation has its own URL.
    public static let contentLocation = HeaderFields.Name("Content-Location")
    /// Which part this is.
    public static let contentRange = HeaderFields.Name("Content-Range")
    /// The media type of the body.
    public static let contentType = HeaderFields.Name("Content-Type")
    /// The cookies of the client (RFC 6265).
    public static let cookie = HeaderFields.Name("Cookie")
    /// When the message was made.
    public static let date = HeaderFields.Name("Date")
    /// The tag of this version of the representation.
    public static let etag = HeaderFields.Name("ETag")
    /// What has to be granted before the body.
    public static let expect = HeaderFields.Name("Expect")
    /// When the answer is out of date.
    public static let expires = HeaderFields.Name("Expires")
    /// The host and port of the URL.
    public static let host = HeaderFields.Name("Host")
    /// What tells the server that a request is a repetition of another.
    public static let idempotencyKey = HeaderFields.Name("Idempotency-Key")
    /// Only where the tag is one of these.
    public static let ifMatch = HeaderFields.Name("If-Match")
    /// Only where it was changed since.
    public static let ifModifiedSince = HeaderFields.Name("If-Modified-Since")
    /// Only where the tag is none of these.
    public static let ifNoneMatch = HeaderFields.Name("If-None-Match")
    /// The part where it is unchanged, else all of it.
    public static let ifRange = HeaderFields.Name("If-Range")
    /// Only where it was not changed since.
    public static let ifUnmodifiedSince = HeaderFields.Name("If-Unmodified-Since")
    /// When the representation was last changed.
    public static let lastModified = HeaderFields.Name("Last-Modified")
    /// Links to other resources (RFC 8288).
    public static let link = HeaderFields.Name("Link")
    /// Where a redirect leads, or what was created is.
    public static let location = HeaderFields.Name("Location")
    /// The origin that a request comes from (RFC 6454).
    public static let origin = HeaderFields.Name("Origin")
    /// What caches of old may do.
    public static let pragma = HeaderFields.Name("Pragma")
    /// What the client would rather have (RFC 7240).
    public static let prefer = HeaderFields.Name("Prefer")
    /// The credentials that the proxy wants.
    public static let proxyAuthenticate = HeaderFields.Name("Proxy-Authenticate")
    /// The credentials for the proxy.
    public static let proxyAuthorization = HeaderFields.Name("Proxy-Authorization")
    /// The part that is wanted.
    public static let range = HeaderFields.Name("Range")
    /// Where the URL was found.
    public static let referer = HeaderFields.Name("Referer")
    /// When to ask again.
    public static let retryAfter = HeaderFields.Name("Retry-After")
    /// The software of the server.
    public static let server = HeaderFields.Name("Server")
    /// A cookie to be kept (RFC 6265); its values cannot be joined.
    public static let setCookie = HeaderFields.Name("Set-Cookie")
    /// That the host is to be spoken to over TLS alone (RFC 6797).
    public static let strictTransportSecurity = HeaderFields.Name("Strict-Transport-Security")
    /// The transfer codings that are understood.
    public static let te = HeaderFields.Name("TE")
    /// The fields behind the body.
    public static let trailer = HeaderFields.Name("Trailer")
    /// The transfer codings of the message.
    public static let transferEncoding = HeaderFields.Name("Transfer-Encoding")
    /// Another protocol for the connection.
    public static let upgrade = HeaderFields.Name("Upgrade")
    /// The software of the client.
    public static let userAgent = HeaderFields.Name("User-Agent")
    /// The request's fields that the answer depends on.
    public static let vary = HeaderFields.Name("Vary")
    /// The proxies on the way.
    public static let via = HeaderFields.Name("Via")
    /// The credentials that the server wants.
    public static let wwwAuthenticate = HeaderFields.Name("WWW-Authenticate")
    /// The identity of the request, in logs of both sides.
    public static let requestID = HeaderFields.Name("X-Request-ID")
}
