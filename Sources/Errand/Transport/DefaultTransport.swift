// The only place that defines the default transport.

#if canImport(CCurl)
extension Transport where Self == CurlTransport {
    /// The default transport of the platform: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: CurlTransport { .shared }
}
#else
extension Transport where Self == URLSessionTransport {
    /// The default transport of the platform: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: URLSessionTransport { .shared }
}
#endif
