// The one place that says what carries requests unless they are told otherwise.

#if canImport(CCurl)
extension Transport where Self == CurlTransport {
    /// What this platform's requests go over by default: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: CurlTransport { .shared }
}
#else
extension Transport where Self == URLSessionTransport {
    /// What this platform's requests go over by default: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: URLSessionTransport { .shared }
}
#endif
