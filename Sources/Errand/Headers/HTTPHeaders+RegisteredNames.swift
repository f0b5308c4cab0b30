extension HTTPHeaders.Name {
    /// The media types that are wanted; see ``MediaType/accept(_:)-(MediaType...)``.
    public static let accept = HTTPHeaders.Name("Accept")
    /// The content codings that are understood.
    public static let acceptEncoding = HTTPHeaders.Name("Accept-Encoding")
    /// The languages that are wanted.
    public static let acceptLanguage = HTTPHeaders.Name("Accept-Language")
    /// Whether the server can send parts.
    public static let acceptRanges = HTTPHeaders.Name("Accept-Ranges")
    /// How old a cached answer is, in seconds.
    public static let age = HTTPHeaders.Name("Age")
    /// The methods that the resource has.
    public static let allow = HTTPHeaders.Name("Allow")
    /// The credentials for the server.
    public static let authorization = HTTPHeaders.Name("Authorization")
    /// What caches may do.
    public static let cacheControl = HTTPHeaders.Name("Cache-Control")
    /// Options of the connection.
    public static let connection = HTTPHeaders.Name("Connection")
    /// How the body is meant to be shown, and a file's name (RFC 6266).
    public static let contentDisposition = HTTPHeaders.Name("Content-Disposition")
    /// The content codings of the body.
    public static let contentEncoding = HTTPHeaders.Name("Content-Encoding")
    /// The language of the body.
    public static let contentLanguage = HTTPHeaders.Name("Content-Language")
    /// The length of the body in bytes.
    public static let contentLength = HTTPHeaders.Name("Content-Length")
    /// Where the representation has its own URL.
    public static let contentLocation = HTTPHeaders.Name("Content-Location")
    /// Which part this is.
    public static let contentRange = HTTPHeaders.Name("Content-Range")
    /// The media type of the body.
    public static let contentType = HTTPHeaders.Name("Content-Type")
    /// The cookies of the client (RFC 6265).
    public static let cookie = HTTPHeaders.Name("Cookie")
    /// When the message was made.
    public static let date = HTTPHeaders.Name("Date")
    /// The tag of this version of the representation.
    public static let etag = HTTPHeaders.Name("ETag")
    /// What has to be granted before the body.
    public static let expect = HTTPHeaders.Name("Expect")
    /// When the answer is out of date.
    public static let expires = HTTPHeaders.Name("Expires")
    /// The host and port of the URL.
    public static let host = HTTPHeaders.Name("Host")
    /// What tells the server that a request is a repetition of another.
    public static let idempotencyKey = HTTPHeaders.Name("Idempotency-Key")
    /// Only where the tag is one of these.
    public static let ifMatch = HTTPHeaders.Name("If-Match")
    /// Only where it was changed since.
    public static let ifModifiedSince = HTTPHeaders.Name("If-Modified-Since")
    /// Only where the tag is none of these.
    public static let ifNoneMatch = HTTPHeaders.Name("If-None-Match")
    /// The part where it is unchanged, else all of it.
    public static let ifRange = HTTPHeaders.Name("If-Range")
    /// Only where it was not changed since.
    public static let ifUnmodifiedSince = HTTPHeaders.Name("If-Unmodified-Since")
    /// When the representation was last changed.
    public static let lastModified = HTTPHeaders.Name("Last-Modified")
    /// Links to other resources (RFC 8288).
    public static let link = HTTPHeaders.Name("Link")
    /// Where a redirect leads, or what was created is.
    public static let location = HTTPHeaders.Name("Location")
    /// The origin that a request comes from (RFC 6454).
    public static let origin = HTTPHeaders.Name("Origin")
    /// What caches of old may do.
    public static let pragma = HTTPHeaders.Name("Pragma")
    /// What the client would rather have (RFC 7240).
    public static let prefer = HTTPHeaders.Name("Prefer")
    /// The credentials that the proxy wants.
    public static let proxyAuthenticate = HTTPHeaders.Name("Proxy-Authenticate")
    /// The credentials for the proxy.
    public static let proxyAuthorization = HTTPHeaders.Name("Proxy-Authorization")
    /// The part that is wanted.
    public static let range = HTTPHeaders.Name("Range")
    /// Where the URL was found.
    public static let referer = HTTPHeaders.Name("Referer")
    /// When to ask again.
    public static let retryAfter = HTTPHeaders.Name("Retry-After")
    /// The software of the server.
    public static let server = HTTPHeaders.Name("Server")
    /// A cookie to be kept (RFC 6265); its values cannot be joined.
    public static let setCookie = HTTPHeaders.Name("Set-Cookie")
    /// That the host is to be spoken to over TLS alone (RFC 6797).
    public static let strictTransportSecurity = HTTPHeaders.Name("Strict-Transport-Security")
    /// The transfer codings that are understood.
    public static let te = HTTPHeaders.Name("TE")
    /// The fields behind the body.
    public static let trailer = HTTPHeaders.Name("Trailer")
    /// The transfer codings of the message.
    public static let transferEncoding = HTTPHeaders.Name("Transfer-Encoding")
    /// Another protocol for the connection.
    public static let upgrade = HTTPHeaders.Name("Upgrade")
    /// The software of the client.
    public static let userAgent = HTTPHeaders.Name("User-Agent")
    /// The request's fields that the answer depends on.
    public static let vary = HTTPHeaders.Name("Vary")
    /// The proxies on the way.
    public static let via = HTTPHeaders.Name("Via")
    /// The credentials that the server wants.
    public static let wwwAuthenticate = HTTPHeaders.Name("WWW-Authenticate")
    /// The identity of the request, in logs of both sides.
    public static let requestID = HTTPHeaders.Name("X-Request-ID")
}
