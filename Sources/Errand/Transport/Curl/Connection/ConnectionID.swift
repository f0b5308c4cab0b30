#if canImport(CCurl)
/// The identity of the connection that a request uses: its two ends, as libcurl reports them before it sends.
struct ConnectionID: Hashable {
    /// The local port, which the connection's socket also reports.
    let localPort: Int32
    let remotePort: Int32
    /// A hash of both addresses, which avoids two strings for each request.
    private let addresses: Int

    init(remote: UnsafePointer<CChar>?, remotePort: Int32, local: UnsafePointer<CChar>?, localPort: Int32) {
        self.localPort = localPort
        self.remotePort = remotePort
        var hasher = Hasher()
        for address in [remote, local] {
            if let address { hasher.combine(bytes: UnsafeRawBufferPointer(start: address, count: strlen(address))) }
            hasher.combine(0)
        }
        addresses = hasher.finalize()
    }
}
#endif
