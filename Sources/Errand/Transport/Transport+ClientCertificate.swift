extension Transport {
    /// The client certificate of the transport as text, or the path of its file. `nil` if it is missing, and for
    /// transports other than `CurlTransport`, which do not report it.
    var clientCertificate: String? {
        #if canImport(CCurl)
        (self as? CurlTransport)?.engines.clientCertificate
        #else
        nil
        #endif
    }
}
