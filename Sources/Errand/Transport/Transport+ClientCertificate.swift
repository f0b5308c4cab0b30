extension Transport {
    /// The client certificate that it introduces itself with, or the name of its file; nil for none, and for other
    /// transports than a `CurlTransport`, which do not tell.
    var clientCertificate: String? {
        #if canImport(CCurl)
        (self as? CurlTransport)?.engines.clientCertificate
        #else
        nil
        #endif
    }
}
